// Itself, for ever.
#include __FILE__
