#include <gradual/core/products/blas.hpp>

#include <algorithm>
#include <atomic>
#include <deque>
#include <mutex>

#include <cblas.h>

#include <gradual/core/memory.hpp>
#include <gradual/core/products/packed_matrix.hpp>
#include <gradual/core/products/split_product.hpp>
#include <gradual/core/threads.hpp>

namespace gradual {
namespace {

// Each thread counts for itself: a number that all of them write would cost more than a small product.
class FlopCounter {
 public:
  void add(std::int64_t flops) {
    thread_local std::atomic<std::int64_t>& own = new_count();
    own.store(own.load(std::memory_order_relaxed) + flops, std::memory_order_relaxed);
  }
  std::int64_t total() {
    const std::lock_guard lock(mutex_);
    std::int64_t sum = 0;
    for (const auto& count : counts_) sum += count.load(std::memory_order_relaxed);
    return sum;
  }

 private:
  std::atomic<std::int64_t>& new_count() {
    const std::lock_guard lock(mutex_);
    return counts_.emplace_back(0);
  }

  std::mutex mutex_;
  std::deque<std::atomic<std::int64_t>> counts_;  // which stay in their places
};

FlopCounter flops;

// The threads are ours: each product runs on one. OpenBLAS built on OpenMP keeps this setting for each
// calling thread, so every thread makes it once.
void use_one_blas_thread() {
  thread_local const bool done = [] {
    openblas_set_num_threads(1);
    return true;
  }();
  (void)done;
}

// The serial flavour of OpenBLAS gives silently wrong results when two threads call it at once: there they
// take turns.
bool blas_is_thread_safe() {
  static const bool safe = openblas_get_parallel() != OPENBLAS_SEQUENTIAL;
  return safe;
}

std::unique_lock<std::mutex> turn_to_multiply() {
  static std::mutex mutex;
  return blas_is_thread_safe() ? std::unique_lock<std::mutex>() : std::unique_lock(mutex);
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

MatrixView rows_from(const MatrixView& x, Index first) {
  return {x.data + first * (x.transposed ? 1 : x.stride), x.stride, x.transposed};
}
MatrixView columns_from(const MatrixView& x, Index first) {
  return {x.data + first * (x.transposed ? x.stride : 1), x.stride, x.transposed};
}

// OpenBLAS multiplies small matrices where they lie, all but A·Bᵀ: for these, the scores of an attention head
// among them, it takes memory for copies, under a lock that threads would queue for. So B is turned round
// first.
constexpr Index most_turned = 64 * 64;

// It adds up long sums of small products one number at a time, which costs digits: pairwise costs fewer.
constexpr Index small_for_openblas = 100 * 100 * 100, longest_small_sum = 4096;

bool should_turn(Index m, Index n, Index k, const MatrixView& a, const MatrixView& b) {
  return b.transposed && !a.transposed && n * k <= most_turned && m * n * k <= 64 * 64 * 64;
}

MatrixView turned(Index n, Index k, const MatrixView& b, Real* place) {
  for (Index p = 0; p < k; ++p) {
    for (Index j = 0; j < n; ++j) place[p * n + j] = b.data[j * b.stride + p];
  }
  return {place, n};
}

}  // namespace

void gemm(Index m, Index n, Index k, Real alpha, MatrixView a, MatrixView b, Real beta, Real* c,
          Index c_stride, const Real* bias) {
  if (m == 0 || n == 0) return;
  if (prefers_splitting(m, n, k)) {
    flops.add(2 * m * n * k);
    return split_product(m, n, k, alpha, a, b, beta, c, c_stride, bias);
  }
  if (bias) {  // the product is added to rows that hold it already
    for (Index i = 0; i < m; ++i) std::copy_n(bias, n, c + i * c_stride);
    beta = 1;
  }
  if (k > longest_small_sum && m * n * k <= small_for_openblas) {
    const Index half = k / 2;
    gemm(m, n, half, alpha, a, b, beta, c, c_stride);
    gemm(m, n, k - half, alpha, columns_from(a, half), rows_from(b, half), 1, c, c_stride);
    return;
  }
  use_one_blas_thread();
  flops.add(2 * m * n * k);
  Real place[most_turned];
  if (should_turn(m, n, k, a, b)) b = turned(n, k, b, place);
  const std::unique_lock<std::mutex> turn = turn_to_multiply();
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
    gemm(m, n, last - first, alpha, columns_from(a, first), rows_from(b, first), 0,
         partial.data() + block * m * n, n);
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
                   Index c_stride, const Real* bias) {
  if (prefers_packing(m, n, k, a))
    return parallel_multiply(m, a, PackedMatrix(k, n, b), {c, c_stride, alpha, bias ? Real(0) : beta, bias});
  constexpr Index worthwhile =
      3 << 18;  // multiply-adds in a block: below about ten microseconds, sharing costs more
  constexpr Index most_blocks = 4;
  constexpr Index tile = 32;  // blocks end at multiples of the kernels' tiles
  const Index wanted = even_chunks(m * n * k / worthwhile, most_blocks);
  if (wanted < 2 || !blas_is_thread_safe()) return gemm(m, n, k, alpha, a, b, beta, c, c_stride, bias);
  const Cut cut = cheapest_cut(m, n, k, wanted);
  if (cut == Cut::inner && !bias)
    return gemm_by_inner_blocks(m, n, k, alpha, a, b, beta, c, c_stride, std::min(wanted, k));

  const Index size = cut == Cut::rows ? m : n;
  const Index tiles = (size + tile - 1) / tile;
  const Index blocks = std::min(wanted, tiles);
  parallel_for(blocks, [&](Index block) {
    const Index first = tiles * block / blocks * tile;
    const Index last = std::min(tiles * (block + 1) / blocks * tile, size);
    if (cut == Cut::rows) {
      gemm(last - first, n, k, alpha, rows_from(a, first), b, beta, c + first * c_stride, c_stride, bias);
    } else {
      gemm(m, last - first, k, alpha, a, columns_from(b, first), beta, c + first, c_stride,
           bias ? bias + first : nullptr);
    }
  });
}

std::int64_t flop_count() { return flops.total(); }
void count_flops(std::int64_t operations) { flops.add(operations); }

std::string blas_description() {
  return std::string(openblas_get_corename()) + " (" + openblas_get_config() + ")";
}

}  // namespace gradual
