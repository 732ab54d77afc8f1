// OpenBLAS's kernel for processors that are younger than OpenBLAS. It knows processors by their numbers, and
// runs an unknown one as if it were a Prescott of 2004, without AVX, which makes products three to seven
// times slower.
#pragma once

#include <string>

namespace gradual {

/// The kernel to take instead of the one that OpenBLAS has chosen, as OPENBLAS_CORETYPE names it, for a
/// processor with AVX2 and FMA, and perhaps AVX-512 (F, DQ, BW and VL); nothing where the choice stands.
std::string better_openblas_kernel(const std::string& chosen, bool has_avx2, bool has_avx512);

/// Gives OpenBLAS the better kernel for this processor, unless OPENBLAS_CORETYPE names one. To be called
/// before anything is multiplied, and once. Returns whether it changed anything.
bool choose_openblas_kernel();

}  // namespace gradual
