// The door of matrix products of two tensors; a weight that is used again and again has products of its own
// (PackedMatrix, Int8Matrix).
//
// What is behind it: OpenBLAS (openblas.hpp), and ways round it where it is slow: for long and narrow
// matrices (packed_matrix.hpp), and, on processors with a matrix unit, for large ones in single precision
// (split_product.hpp). Each header says when its way is taken.
// Which one it is depends on the sizes, the transposes and the processor alone, never on the numbers or on
// the threads.
#pragma once

#include <string>

#include <gradual/core/products/flop_count.hpp>
#include <gradual/core/products/matrix_view.hpp>
#include <gradual/core/tensor.hpp>

namespace gradual {

/// Which factors of a product are transposed before it.
struct Transposes {
  bool a = false, b = false;  // whether the last two axes of either are swapped first
};

/// y[…, i, j] = Σ_k a[…, i, k]·b[…, k, j], with the last two axes of either swapped first where asked. The
/// axes before them are batches and broadcast. Throws std::invalid_argument with both shapes when they do not
/// fit. The plain version is reference::matmul.
Tensor matmul(const Tensor& a, const Tensor& b, Transposes transposes = {});

/// y = x·Wᵀ + b for x [..., in], W [out, in], b [out] (or undefined: none): [..., out].
Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias);

/// C ← alpha·A·B + beta·C for row-major A [m, k], B [k, n] and C [m, n] (after the transposes), on the
/// calling thread; with a `bias` [n], C ← alpha·A·B + the bias in each row, whatever beta is. With beta = 0
/// nothing is read from C; with k = 0, A·B is 0 whatever alpha is. Throws std::invalid_argument for a
/// negative size, for no matrix where there must be one, and for rows that overlap.
void gemm(Index m, Index n, Index k, Real alpha, MatrixView a, MatrixView b, Real beta, Real* c,
          Index c_stride, const Real* bias = nullptr);

/// The product of gemm(), cut into blocks of C that the thread pool shares. The cut depends on the sizes
/// alone, so the bits are the same for any number of threads.
void parallel_gemm(Index m, Index n, Index k, Real alpha, MatrixView a, MatrixView b, Real beta, Real* c,
                   Index c_stride, const Real* bias = nullptr);

/// OpenBLAS with its version and the kernel that it runs, such as "OpenBLAS 0.3.21, SkylakeX".
std::string blas_description();

}  // namespace gradual
