#include <gradual/core/blas.hpp>

#include <algorithm>
#include <atomic>
#include <mutex>

#include <cblas.h>

#include <gradual/core/memory.hpp>
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

[[maybe_unused]] void cblas_gemm(Index m, Index n, Index k, float alpha, const float* a, Index lda,
                                 CBLAS_TRANSPOSE ta, const float* b, Index ldb, CBLAS_TRANSPOSE tb,
                                 float beta, float* c, Index ldc) {
  cblas_sgemm(CblasRowMajor, ta, tb, static_cast<blasint>(m), static_cast<blasint>(n),
              static_cast<blasint>(k), alpha, a, static_cast<blasint>(lda), b, static_cast<blasint>(ldb),
              beta, c, static_cast<blasint>(ldc));
}

[[maybe_unused]] void cblas_gemm(Index m, Index n, Index k, double alpha, const double* a, Index lda,
                                 CBLAS_TRANSPOSE ta, const double* b, Index ldb, CBLAS_TRANSPOSE tb,
                                 double beta, double* c, Index ldc) {
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

namespace {

enum class Cut { rows, columns, inner };

// OpenBLAS copies both factors into an order of its own, so a factor that every block needs is copied once
// for each block; a cut through the inner axis copies nothing twice but has to add up the blocks. The
// cheapest cut moves the fewest numbers.
Cut cheapest_cut(Index m, Index n, Index k, Index blocks) {
  const Index rows = (blocks - 1) * k * n, columns = (blocks - 1) * m * k, inner = 2 * blocks * m * n;
  if (inner < rows && inner < columns) return Cut::inner;
  return rows <= columns ? Cut::rows : Cut::columns;
}

// C ← sum of the blocks' products + beta·C.
void gemm_by_inner_blocks(Index m, Index n, Index k, Real alpha, MatrixView a, MatrixView b, Real beta,
                          Real* c, Index c_stride, Index blocks) {
  const Block partial(blocks * m * n);
  parallel_for(blocks, [&](Index block) {
    const Index first = k * block / blocks, last = k * (block + 1) / blocks;
    const MatrixView a_columns{a.data + first * (a.transposed ? a.stride : 1), a.stride, a.transposed};
    const MatrixView b_rows{b.data + first * (b.transposed ? 1 : b.stride), b.stride, b.transposed};
    gemm(m, n, last - first, alpha, a_columns, b_rows, 0, partial.data() + block * m * n, n);
  });
  parallel_rows(m, n * blocks, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      Real* row = c + i * c_stride;
      if (beta == 0) std::fill_n(row, n, Real(0));
      const Real before = beta == 0 ? Real(1) : beta;
      for (Index block = 0; block < blocks; ++block) {
        const Real* part = partial.data() + (block * m + i) * n;
        const Real factor = block == 0 ? before : Real(1);
#pragma omp simd
        for (Index j = 0; j < n; ++j) row[j] = factor * row[j] + part[j];
      }
    }
  });
}

}  // namespace

void parallel_gemm(Index m, Index n, Index k, Real alpha, MatrixView a, MatrixView b, Real beta, Real* c,
                   Index c_stride) {
  constexpr Index worthwhile =
      1 << 20;  // multiply-adds in a block: below about ten microseconds, sharing costs more
  constexpr Index most_blocks = 4;
  constexpr Index tile = 16;  // blocks end at multiples of OpenBLAS's register tile
  const Index wanted = std::min(m * n * k / worthwhile, most_blocks);
  if (wanted < 2 || !blas_is_thread_safe()) return gemm(m, n, k, alpha, a, b, beta, c, c_stride);
  const Cut cut = cheapest_cut(m, n, k, wanted);
  if (cut == Cut::inner)
    return gemm_by_inner_blocks(m, n, k, alpha, a, b, beta, c, c_stride, std::min(wanted, k));

  const Index size = cut == Cut::rows ? m : n;
  const Index tiles = (size + tile - 1) / tile;
  const Index blocks = std::min(wanted, tiles);
  parallel_for(blocks, [&](Index block) {
    const Index first = tiles * block / blocks * tile;
    const Index last = std::min(tiles * (block + 1) / blocks * tile, size);
    if (cut == Cut::rows) {
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
