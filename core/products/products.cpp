#include <gradual/core/products/products.hpp>

#include <algorithm>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/core/memory.hpp>
#include <gradual/core/products/openblas.hpp>
#include <gradual/core/products/packed_matrix.hpp>
#include <gradual/core/products/split_product.hpp>
#include <gradual/core/threads.hpp>

namespace gradual {
namespace {

void check(const char* name, const MatrixView& x, Index rows, Index columns, bool is_read) {
  if (x.transposed) std::swap(rows, columns);
  if (rows < 0 || columns < 0)
    throw std::invalid_argument(
        text("gemm: sizes must not be negative: ", name, " is ", rows, " × ", columns));
  if (is_read && !x.data)
    throw std::invalid_argument(text("gemm: there must be a matrix: ", name, " is null"));
  if (rows > 1 && x.stride < columns)
    throw std::invalid_argument(text("gemm: rows must not overlap: those of ", name, " have ", columns,
                                     " columns and lie ", x.stride, " apart"));
}

void check(Index m, Index n, Index k, const MatrixView& a, const MatrixView& b, const Real* c,
           Index c_stride) {
  const bool is_some = m > 0 && n > 0;
  check("A", a, m, k, is_some && k > 0);
  check("B", b, k, n, is_some && k > 0);
  check("C", {c, c_stride}, m, n, is_some);
}

// OpenBLAS multiplies small matrices where they lie, all but A·Bᵀ, such as the scores of an attention head:
// for these it takes memory for copies, under a lock that threads would queue for. So a B that fits the
// first-level cache is turned round first.
constexpr Index most_turned = 64 * 64;

bool prefers_turning(Index m, Index n, Index k, const MatrixView& a, const MatrixView& b) {
  return b.transposed && !a.transposed && n * k <= most_turned && m * n * k <= 64 * most_turned;
}

void turned_product(Index m, Index n, Index k, MatrixView a, MatrixView b, const ProductResult& result) {
  Real turned[most_turned];
  for (Index p = 0; p < k; ++p) {
    for (Index j = 0; j < n; ++j) turned[p * n + j] = b.data[j * b.stride + p];
  }
  openblas_product(m, n, k, a, {turned, n}, result);
}

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
    gemm(m, n, last - first, alpha, a.from(0, first), b.from(first, 0), 0, partial.data() + block * m * n, n);
  });
  parallel_each_row(m, n * blocks, [&](Index i) {
    Real* row = c + i * c_stride;
    if (beta == 0) std::fill_n(row, n, Real(0));
    const Real before = beta == 0 ? Real(1) : beta;
    for (Index block = 0; block < blocks; ++block) {
      const Real* part = partial.data() + (block * m + i) * n;
      const Real factor = block == 0 ? before : Real(1);
#pragma omp simd
      for (Index j = 0; j < n; ++j) row[j] = factor * row[j] + part[j];
    }
  });
}

}  // namespace

void gemm(Index m, Index n, Index k, Real alpha, MatrixView a, MatrixView b, Real beta, Real* c,
          Index c_stride, const Real* bias) {
  check(m, n, k, a, b, c, c_stride);
  if (m == 0 || n == 0) return;
  count_flops(2 * m * n * k);
  if (k == 0) alpha = 0;  // which kernels of OpenBLAS take 0·alpha for NaN differs
  const ProductResult result{c, c_stride, alpha, bias ? Real(0) : beta, bias};
  if (prefers_splitting(m, n, k))
    split_product(m, n, k, a, b, result);
  else if (prefers_turning(m, n, k, a, b))
    turned_product(m, n, k, a, b, result);
  else
    openblas_product(m, n, k, a, b, result);
}

void parallel_gemm(Index m, Index n, Index k, Real alpha, MatrixView a, MatrixView b, Real beta, Real* c,
                   Index c_stride, const Real* bias) {
  check(m, n, k, a, b, c, c_stride);
  if (prefers_packing(m, n, k, a))
    return parallel_multiply(m, a, PackedMatrix(k, n, b), {c, c_stride, alpha, bias ? Real(0) : beta, bias});
  // Multiply-adds in a block: below about ten microseconds, sharing costs more.
  constexpr Index worthwhile = 3 << 18, most_blocks = 4;
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
      gemm(last - first, n, k, alpha, a.from(first, 0), b, beta, c + first * c_stride, c_stride, bias);
    } else {
      gemm(m, last - first, k, alpha, a, b.from(0, first), beta, c + first, c_stride,
           bias ? bias + first : nullptr);
    }
  });
}

}  // namespace gradual
