#include <gradual/core/products/packed_matrix.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/core/products/flop_count.hpp>
#include <gradual/core/products/row_blocks.hpp>
#include <gradual/core/products/split_product.hpp>
#include <gradual/core/threads.hpp>

namespace gradual {
namespace {

// A tile of sums stays in registers from the first product to the last: so many rows of A, two vectors of
// columns of B.
#ifdef __AVX512F__
constexpr Index vector_bytes = 64, most_rows = 12;  // of 32 registers
#else
constexpr Index vector_bytes = 32, most_rows = 6;  // of 16
#endif
constexpr Index lanes = vector_bytes / static_cast<Index>(sizeof(Real));
constexpr Index width = 2 * lanes;
constexpr Index inner_block = 256;  // rows of B whose part of a panel stays in the first-level cache

// As it lies in memory: at any address.
using Vector __attribute__((vector_size(vector_bytes), aligned(sizeof(Real)), may_alias)) = Real;

Vector load(const Real* from) { return *reinterpret_cast<const Vector*>(from); }
void store(Real* to, Vector x) { *reinterpret_cast<Vector*>(to) = x; }
Vector in_all_lanes(Real x) { return x - Vector{}; }

// body(0), body(1) … as constants: what they index stays in registers.
template <class Body, std::size_t... rows>
void for_rows(std::index_sequence<rows...>, Body body) {
  (body(rows), ...);
}

// One tile: `k` products of a column of A and a row of the panel. `a_stride` is the distance between the rows
// of A, or between its columns where A is transposed.
template <Index rows, Index vectors, bool transposed>
[[gnu::flatten]] void multiply_tile(Index k, const Real* a, Index a_stride, const Real* panel,
                                    const ProductResult& result) {
  constexpr std::make_index_sequence<rows> all_rows;
  Vector left[rows] = {}, right[rows] = {};
  for (Index p = 0; p < k; ++p, panel += width) {
    const Vector left_of_b = load(panel);
    const Vector right_of_b = vectors == 2 ? load(panel + lanes) : left_of_b;
    for_rows(all_rows, [&](std::size_t row) {
      const auto r = static_cast<Index>(row);
      const Vector factor = in_all_lanes(transposed ? a[p * a_stride + r] : a[r * a_stride + p]);
      left[row] += factor * left_of_b;
      if (vectors == 2) right[row] += factor * right_of_b;
    });
  }
  const Vector alpha = in_all_lanes(result.alpha), beta = in_all_lanes(result.beta), none{};
  const Vector left_bias = result.bias ? load(result.bias) : none;
  const Vector right_bias = vectors == 2 && result.bias ? load(result.bias + lanes) : none;
  const auto write = [&](Real* c, Vector sum, Vector bias) {
    store(c, alpha * sum + (result.beta != 0 ? beta * load(c) : bias));
  };
  for_rows(all_rows, [&](std::size_t row) {
    Real* c = result.c + static_cast<Index>(row) * result.stride;
    write(c, left[row], left_bias);
    if (vectors == 2) write(c + lanes, right[row], right_bias);
  });
}

using Tile = void (*)(Index k, const Real* a, Index a_stride, const Real* panel, const ProductResult& result);
template <Index vectors, bool transposed, std::size_t... rows>
constexpr std::array<Tile, sizeof...(rows)> tiles_of(std::index_sequence<rows...>) {
  return {multiply_tile<rows + 1, vectors, transposed>...};
}
template <Index vectors, bool transposed>
constexpr auto tiles = tiles_of<vectors, transposed>(std::make_index_sequence<most_rows>());

Tile tile_for(Index rows, Index columns, bool transposed) {
  const auto i = static_cast<std::size_t>(rows - 1);
  if (columns > lanes) return transposed ? tiles<2, true>[i] : tiles<2, false>[i];
  return transposed ? tiles<1, true>[i] : tiles<1, false>[i];
}

// The last panel has fewer columns than its tiles: these write to a place of their own first.
void multiply_edge(Tile tile, Index rows, Index columns, Index k, const Real* a, Index a_stride,
                   const Real* panel, const ProductResult& result) {
  Real sums[most_rows * width], bias[width] = {};
  for (Index r = 0; result.beta != 0 && r < rows; ++r)
    std::copy_n(result.c + r * result.stride, columns, sums + r * width);
  if (result.bias) std::copy_n(result.bias, columns, bias);
  tile(k, a, a_stride, panel, {sums, width, result.alpha, result.beta, result.bias ? bias : nullptr});
  for (Index r = 0; r < rows; ++r) std::copy_n(sums + r * width, columns, result.c + r * result.stride);
}

Index checked_panels(Index k, Index n, const MatrixView& b) {
  check_matrix("packed matrix", k, n, b);
  return n / width + (n % width > 0);
}

}  // namespace

Index PackedMatrix::panel_width() { return width; }

PackedMatrix::PackedMatrix(Index k, Index n, MatrixView b)
    : k_(k), n_(n), panels_({checked_panels(k, n, b), k, width}) {
  if (panels_.size() == 0) return;
  Real* to = panels_.unguarded_data();
  parallel_each_row(panels(), k * width, [=](Index panel) {
    const Index column = panel * width, count = std::min(width, n - column);
    for (Index p = 0; p < k; ++p) {
      Real* row = to + (panel * k + p) * width;
      if (b.transposed) {
        for (Index j = 0; j < count; ++j) row[j] = b.data[(column + j) * b.stride + p];
      } else {
        std::copy_n(b.data + p * b.stride + column, count, row);
      }
      std::fill(row + count, row + width, Real(0));
    }
  });
}

PackedMatrix PackedMatrix::of_weight(const Tensor& weight) {
  if (weight.rank() != 2)
    throw std::invalid_argument(text("packed matrix: the weight must be [out, in]: it is ", weight.shape()));
  return PackedMatrix(weight.dim(1), weight.dim(0), {weight.data(), weight.dim(1), true});
}

PackedMatrix PackedMatrix::rows(Index first, Index last) const {
  if (first < 0 || first > last || last > k_)
    throw std::invalid_argument(
        text("packed matrix: rows must be some that there are: rows ", first, " to ", last, " of ", k_));
  PackedMatrix result = *this;
  result.first_row_ += first;
  result.k_ = last - first;
  return result;
}

bool prefers_packing(Index m, Index n, Index k, const MatrixView& a) {
  return !prefers_splitting(m / 4, n, k) && !a.transposed && m >= 192 && n >= lanes && n <= 512 && k >= 16 &&
         k <= 512;
}

void PackedMatrix::multiply(Index m, MatrixView a, Index first, Index last,
                            const ProductResult& result) const {
  if (m < 0 || first < 0 || first > last || last > panels())
    throw std::invalid_argument(text("packed matrix: rows and panels must be some that there are: got ", m,
                                     " rows, panels ", first, " to ", last, " of ", panels()));
  if (first == last) return;
  count_flops(2 * m * k_ * (std::min(last * width, n_) - first * width));
  const RowBlocks blocks(m, most_rows);
  for (Index i = 0; i < blocks.count; ++i) {
    for (Index p = 0; p == 0 || p < k_; p += inner_block) {
      const Index inner = std::min(inner_block, k_ - p);
      for (Index panel = first; panel < last; ++panel) {
        const Real* part = panels_.data() + (panel * panels_.dim(1) + first_row_ + p) * width;
        const Index column = (panel - first) * width, columns = std::min(width, n_ - panel * width);
        blocks.each_tile(i, [&](Index row, Index rows) {
          const Real* from = a.from(row, p).data;
          ProductResult tile = result.from(row, column);
          if (p > 0) tile.beta = 1;
          const Tile multiply_tile = tile_for(rows, columns, a.transposed);
          if (columns == width)
            multiply_tile(inner, from, a.stride, part, tile);
          else
            multiply_edge(multiply_tile, rows, columns, inner, from, a.stride, part, tile);
        });
      }
    }
  }
}

// Every number of the result is the same sum in the same order however the work is cut.
void parallel_multiply(Index m, MatrixView a, const PackedMatrix& b, const ProductResult& result) {
  parallel_panels(RowBlocks(m, most_rows), b.panels(), [&](Index row, Index end, Index first, Index last) {
    b.multiply(end - row, a.from(row, 0), first, last, result.from(row, first * width));
  });
}

}  // namespace gradual
