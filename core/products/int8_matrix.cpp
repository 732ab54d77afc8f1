#include <gradual/core/products/int8_matrix.hpp>

#include <algorithm>
#include <limits>

#include <gradual/core/error.hpp>
#include <gradual/core/products/flop_count.hpp>
#include <gradual/core/products/int8_tiles.hpp>
#include <gradual/core/products/row_blocks.hpp>
#include <gradual/core/threads.hpp>

namespace gradual {
namespace {

constexpr Index most_summed = std::numeric_limits<std::int32_t>::max() / (127 * 127);

Index steps_of(Index k) { return (k + int8_tiles::group - 1) / int8_tiles::group; }
Index reals_of(Index bytes) {
  constexpr Index size = sizeof(Real);
  return bytes / size + (bytes % size > 0);
}

Index checked_rows(Index k, Index n, const MatrixView& b) {
  check_matrix("int8 matrix", k, n, b);
  if (k > most_summed)
    throw std::invalid_argument(text("int8 matrix: there must be at most ", most_summed,
                                     " rows, whose sums 32 bits hold: there are ", k));
  return k;
}

// One panel: the numbers of its columns in the order of the steps, and what its sums start from.
void pack_panel(const QuantizedRows& columns, Index first, std::int8_t* to, std::int32_t* starts) {
  using int8_tiles::group, int8_tiles::width;
  std::fill_n(to, steps_of(columns.columns) * width * group, std::int8_t(0));
  for (Index j = 0; j < std::min(width, columns.rows - first); ++j) {
    const std::int8_t* column = columns.row(first + j);
    std::uint32_t sum = 0;  // sums may go round: what they come to in the end fits
    for (Index p = 0; p < columns.columns; ++p) {
      to[(p / group * width + j) * group + p % group] = column[p];
      sum += static_cast<std::uint32_t>(column[p]);
    }
    starts[j] = static_cast<std::int32_t>(0u - static_cast<std::uint32_t>(int8_tiles::offset) * sum);
  }
}

// What becomes of the sums of a tile.
void write_products(Index rows, Index columns, const std::int32_t* sums, const Real* row_scales,
                    const Real* column_scales, const ProductResult& result) {
  const auto write = [&](auto before) {
    for (Index r = 0; r < rows; ++r) {
      const Real scale = result.alpha * row_scales[r];
      const std::int32_t* from = sums + r * int8_tiles::width;
      Real* c = result.c + r * result.stride;
#pragma omp simd
      for (Index j = 0; j < columns; ++j)
        c[j] = scale * column_scales[j] * static_cast<Real>(from[j]) + before(c, j);
    }
  };
  if (result.beta != 0)
    write([beta = result.beta](const Real* c, Index j) { return beta * c[j]; });
  else if (result.bias)
    write([bias = result.bias](const Real*, Index j) { return bias[j]; });
  else
    write([](const Real*, Index) { return Real(0); });
}

}  // namespace

Int8Rows::Int8Rows(Index m, Index k, MatrixView a) : Int8Rows(quantize_rows(m, k, a)) {}

Int8Rows::Int8Rows(QuantizedRows a)
    : m_(a.rows),
      k_(a.columns),
      scales_(a.scales),
      factors_(reals_of(m_ * steps_of(k_) * static_cast<Index>(sizeof(std::int32_t)))) {
  using int8_tiles::Factor;
  const Index stride = steps_of(k_) * int8_tiles::group;
  auto* const to = reinterpret_cast<Factor*>(factors_.data());
  parallel_each_row(m_, k_, [&a, stride, to](Index i) {
    const std::int8_t* from = a.row(i);
    Factor* row = to + i * stride;
#pragma omp simd
    for (Index p = 0; p < a.columns; ++p) row[p] = static_cast<Factor>(from[p] + int8_tiles::offset);
    std::fill(row + a.columns, row + stride, Factor(0));
  });
}

Index Int8Matrix::panel_width() { return int8_tiles::width; }

Int8Matrix::Int8Matrix(Index k, Index n, MatrixView b)
    : Int8Matrix(k, n, quantize_rows(n, checked_rows(k, n, b), {b.data, b.stride, !b.transposed})) {}

Int8Matrix::Int8Matrix(Index k, Index n, const QuantizedRows& columns)
    : k_(k),
      n_(n),
      scales_(Tensor::zeros({(n + panel_width() - 1) / panel_width() * panel_width()})),
      starts_(static_cast<std::size_t>(scales_.size())),
      panels_(reals_of(scales_.size() * steps_of(k) * int8_tiles::group)) {
  std::copy_n(columns.scales.data(), n, scales_.unguarded_data());
  const Index panel_bytes = steps_of(k) * int8_tiles::width * int8_tiles::group;
  parallel_each_row(panels(), panel_bytes,
                    [&columns, panel_bytes, to = reinterpret_cast<std::int8_t*>(panels_.data()),
                     starts = starts_.data()](Index panel) {
                      pack_panel(columns, panel * int8_tiles::width, to + panel * panel_bytes,
                                 starts + panel * int8_tiles::width);
                    });
}

Int8Matrix Int8Matrix::of_weight(const Tensor& weight) {
  if (weight.rank() != 2)
    throw std::invalid_argument(text("int8 matrix: the weight must be [out, in]: it is ", weight.shape()));
  return Int8Matrix(weight.dim(1), weight.dim(0), {weight.data(), weight.dim(1), true});
}

void Int8Matrix::multiply(const Int8Rows& a, Index first_row, Index last_row, Index first, Index last,
                          const ProductResult& result) const {
  using int8_tiles::Factor, int8_tiles::group, int8_tiles::most_rows, int8_tiles::width;
  if (a.k_ != k_)
    throw std::invalid_argument(
        text("int8 matrix: the factors must fit: ", a.m_, " × ", a.k_, " and ", k_, " × ", n_));
  if (first_row < 0 || first_row > last_row || last_row > a.m_ || first < 0 || first > last ||
      last > panels())
    throw std::invalid_argument(text("int8 matrix: rows and panels must be some that there are: got rows ",
                                     first_row, " to ", last_row, " of ", a.m_, ", panels ", first, " to ",
                                     last, " of ", panels()));
  if (first == last) return;
  count_flops(2 * (last_row - first_row) * k_ * (std::min(last * width, n_) - first * width));
  const Index steps = steps_of(k_), stride = steps * group;
  const auto* const factors = reinterpret_cast<const Factor*>(a.factors_.data());
  const auto* const numbers = reinterpret_cast<const std::int8_t*>(panels_.data());
  std::int32_t sums[most_rows * width];
  const RowBlocks blocks(last_row - first_row, most_rows);
  for (Index i = 0; i < blocks.count; ++i) {
    for (Index panel = first; panel < last; ++panel) {
      const Index column = panel * width, columns = std::min(width, n_ - column);
      blocks.each_tile(i, [&](Index to, Index rows) {
        const Index row = first_row + to;
        int8_tiles::tiles[static_cast<std::size_t>(rows - 1)](steps, factors + row * stride, stride,
                                                              numbers + panel * stride * width,
                                                              starts_.data() + column, sums);
        write_products(rows, columns, sums, a.scales_.data() + row, scales_.data() + column,
                       result.from(to, column - first * width));
      });
    }
  }
}

// Every number of the result is the same however the work is cut: its sum is exact.
void parallel_multiply(Index m, MatrixView a, const Int8Matrix& b, const ProductResult& result) {
  const Int8Rows left(m, b.rows(), a);
  parallel_panels(RowBlocks(m, int8_tiles::most_rows), b.panels(),
                  [&](Index row, Index end, Index first, Index last) {
                    b.multiply(left, row, end, first, last, result.from(row, first * b.panel_width()));
                  });
}

}  // namespace gradual
