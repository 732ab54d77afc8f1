// Matrix products, by OpenBLAS.
#pragma once

#include <cstdint>
#include <string>

#include <gradual/core/real.hpp>

namespace gradual {

/// A matrix inside a larger block: where it starts, how far apart its rows are, and whether it is meant
/// transposed.
struct MatrixView {
  const Real* data;
  Index stride;
  bool transposed = false;
};

/// C ← alpha·A·B + beta·C for row-major A [m, k], B [k, n] and C [m, n] (after the transposes), on the
/// calling thread; with a `bias` [n], C ← alpha·A·B + the bias in each row, whatever beta is.
void gemm(Index m, Index n, Index k, Real alpha, MatrixView a, MatrixView b, Real beta, Real* c,
          Index c_stride, const Real* bias = nullptr);

/// The same product cut into blocks of C that the thread pool shares. The cut depends on the sizes alone, so
/// the bits are the same for any number of threads.
void parallel_gemm(Index m, Index n, Index k, Real alpha, MatrixView a, MatrixView b, Real beta, Real* c,
                   Index c_stride, const Real* bias = nullptr);

/// Floating-point operations of all products so far: 2·m·n·k each.
std::int64_t flop_count();
/// For kernels that multiply without OpenBLAS.
void count_flops(std::int64_t flops);

/// The kernel that OpenBLAS runs and how it was built, such as "SkylakeX (OpenBLAS 0.3.21 …)".
std::string blas_description();

}  // namespace gradual
