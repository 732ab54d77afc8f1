#include <gradual/core/blas.hpp>

#include <algorithm>
#include <atomic>
#include <mutex>

#include <cblas.h>

#include <gradual/core/threads.hpp>

namespace gradual {
namespace {

std::atomic<std::int64_t> flops{0};

// The threads are ours: each product runs on one. OpenBLAS built on OpenMP keeps this setting for each
// calling thread, so every thread makes it once.
void use_one_blas_thread() {
  thread_local const bool done = [] {
    openblas_set_num_threads(1);
    return true;
  }();
  (void)done;
}

// The serial flavour of OpenBLAS gives silently wrong results when two threads call it at once.
bool blas_is_thread_safe() {
  static const bool safe = openblas_get_parallel() != OPENBLAS_SEQUENTIAL;
  return safe;
}

void cblas_gemm(Index m, Index n, Index k, float alpha, const float* a, Index lda, CBLAS_TRANSPOSE ta,
                const float* b, Index ldb, CBLAS_TRANSPOSE tb, float beta, float* c, Index ldc) {
  cblas_sgemm(CblasRowMajor, ta, tb, static_cast<blasint>(m), static_cast<blasint>(n),
              static_cast<blasint>(k), alpha, a, static_cast<blasint>(lda), b, static_cast<blasint>(ldb),
              beta, c, static_cast<blasint>(ldc));
}

void cblas_gemm(Index m, Index n, Index k, double alpha, const double* a, Index lda, CBLAS_TRANSPOSE ta,
                const double* b, Index ldb, CBLAS_TRANSPOSE tb, double beta, double* c, Index ldc) {
  cblas_dgemm(CblasRowMajor, ta, tb, static_cast<blasint>(m), static_cast<blasint>(n),
              static_cast<blasint>(k), alpha, a, static_cast<blasint>(lda), b, static_cast<blasint>(ldb),
              beta, c, static_cast<blasint>(ldc));
}

CBLAS_TRANSPOSE transpose_flag(const MatrixView& view) { return view.transposed ? CblasTrans : CblasNoTrans; }

}  // namespace

void gemm(Index m, Index n, Index k, Real alpha, MatrixView a, MatrixView b, Real beta, Real* c,
          Index c_stride) {
  if (m == 0 || n == 0) return;
  use_one_blas_thread();
  flops.fetch_add(2 * m * n * k, std::memory_order_relaxed);
  // BLAS refuses a leading dimension of 0, which an empty inner axis would give.
  cblas_gemm(m, n, k, alpha, a.data, std::max<Index>(a.stride, 1), transpose_flag(a), b.data,
             std::max<Index>(b.stride, 1), transpose_flag(b), beta, c, c_stride);
}

void parallel_gemm(Index m, Index n, Index k, Real alpha, MatrixView a, MatrixView b, Real beta, Real* c,
                   Index c_stride) {
  constexpr Index worthwhile =
      1 << 19;  // multiply-adds in a block: below about ten microseconds, sharing costs more
  constexpr Index most_blocks = 8;
  constexpr Index tile = 16;  // blocks end at multiples of OpenBLAS's register tile
  const bool cut_rows = m >= n;
  const Index tiles = ((cut_rows ? m : n) + tile - 1) / tile;
  const Index blocks =
      std::clamp<Index>(m * n * k / worthwhile, 1, std::min(most_blocks, std::max<Index>(tiles, 1)));
  if (blocks == 1 || !blas_is_thread_safe()) return gemm(m, n, k, alpha, a, b, beta, c, c_stride);

  parallel_for(blocks, [&](Index block) {
    const Index first = tiles * block / blocks * tile;
    const Index last = std::min(tiles * (block + 1) / blocks * tile, cut_rows ? m : n);
    if (cut_rows) {
      const MatrixView a_rows{a.data + first * (a.transposed ? 1 : a.stride), a.stride, a.transposed};
      gemm(last - first, n, k, alpha, a_rows, b, beta, c + first * c_stride, c_stride);
    } else {
      const MatrixView b_columns{b.data + first * (b.transposed ? b.stride : 1), b.stride, b.transposed};
      gemm(m, last - first, k, alpha, a, b_columns, beta, c + first, c_stride);
    }
  });
}

std::int64_t flop_count() { return flops.load(std::memory_order_relaxed); }

std::string blas_description() {
  return std::string(openblas_get_corename()) + " (" + openblas_get_config() + ")";
}

}  // namespace gradual
