#include <gradual/core/real.hpp>

namespace gradual {

// The name is the same in both builds: linking both libraries into one program defines it twice, an error.
extern const char a_program_has_one_gradual;
const char a_program_has_one_gradual = 0;

#ifdef __GNUC__
inline namespace GRADUAL_PRECISION {
const char a_program_has_one_precision = 0;
}
#endif

}  // namespace gradual
