// Matrix products in single precision by a unit that multiplies half as many digits.
//
// Some processors (Intel's, since 2023) multiply whole tiles of bfloat16 numbers in one instruction, more
// than ten times as many a second as they multiply floats. A bfloat16 has 8 binary digits of a float's 24. So
// each float is split in three, x = h + m + l, where h holds its first digits, m the next and l the last; of
// the nine products of the parts of two numbers, the six largest,
//
//   a·b ≈ h·h' + h·m' + m·h' + m·m' + h·l' + l·h',
//
// differ from a·b by what a float cannot hold either. They are added up as floats. The unit takes numbers
// below 2⁻¹²⁶ for 0, so of a number below 2⁻¹⁰⁹ the last digits are lost, and it is 0 itself where it is that
// small. (Henry, Tang and Heinecke 2019, "Leveraging the bfloat16 artificial intelligence datatype for
// higher-precision computations".)
#pragma once

#include <gradual/core/products/matrix_unit.hpp>
#include <gradual/core/products/matrix_view.hpp>

namespace gradual {

/// Whether split_product() takes less time than OpenBLAS: for large matrices, where there is a matrix unit.
bool prefers_splitting(Index m, Index n, Index k);

/// A·B for A [m, k] and B [k, n] on the calling thread, for all finite numbers; an infinite one gives NaN.
/// Throws std::logic_error unless has_matrix_unit().
void split_product(Index m, Index n, Index k, MatrixView a, MatrixView b, const ProductResult& result);

}  // namespace gradual
