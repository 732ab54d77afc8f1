// Names nothing that holds numbers: without a symbol for it, such an object would fit a library of either precision.
#include <gradual/core/random.hpp>

int OTHER() { return static_cast<int>(gradual::Random(1).below(1)); }
