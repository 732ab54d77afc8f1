// Matrix products in single precision by a unit that multiplies half as many digits.
//
// Some processors (Intel's, since 2023) multiply whole tiles of bfloat16 numbers in one instruction, more
// than ten times as many a second as they multiply floats. A bfloat16 has 8 binary digits of a float's 24. So
// each float is split in three, x = h + m + l, where h holds its first digits, m the next and l the last; of
// the nine products of the parts of two numbers, the six largest,
//
//   a·b ≈ h·h' + h·m' + m·h' + m·m' + h·l' + l·h',
//
// differ from a·b by what a float cannot hold either. They are added up as floats. (Henry, Tang and Heinecke
// 2019, "Leveraging the bfloat16 artificial intelligence datatype for higher-precision computations".)
#pragma once

#include <gradual/core/products/blas.hpp>

namespace gradual {

/// Whether this processor and this build have such a unit and it is switched on. GRADUAL_MATRIX_UNIT=0 in the
/// environment switches it off.
bool has_matrix_unit();
/// Switches the unit on, where there is one, or off; says whether it was on.
bool use_matrix_unit(bool on);

/// Whether split_product() takes less time than OpenBLAS.
bool prefers_splitting(Index m, Index n, Index k);

/// C ← alpha·A·B + beta·C, or + bias in each row, as gemm(). Needs has_matrix_unit().
void split_product(Index m, Index n, Index k, Real alpha, MatrixView a, MatrixView b, Real beta, Real* c,
                   Index c_stride, const Real* bias = nullptr);

}  // namespace gradual
