// The matrix unit of a processor: instructions that multiply whole tiles.
#pragma once

// Set in kernels that are compiled for such a unit; only Linux is asked for it.
#if defined(__AMX_BF16__) && defined(__AVX512BF16__) && defined(__linux__) && !defined(GRADUAL_DOUBLE)
#define GRADUAL_AMX
#endif

namespace gradual {

/// Whether this processor and this build have a matrix unit and it is switched on. GRADUAL_MATRIX_UNIT=0 in
/// the environment switches it off.
bool has_matrix_unit();
/// Switches the matrix unit on, where there is one, or off; says whether it was on.
bool use_matrix_unit(bool on);

}  // namespace gradual
