#include <gradual/core/products/quantized_rows.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gradual/core/threads.hpp>

namespace gradual {
namespace {

constexpr Real most_quantized = 127;

// What has this added and taken away again is rounded to a whole number, as the processor rounds its sums:
// the last digit of numbers of this size is worth 1.
constexpr Real rounding = Real(3) * static_cast<Real>(Index(1) << (std::numeric_limits<Real>::digits - 2));

// Writes the whole numbers of a row and returns its scale.
Real quantize_row(const Real* row, Index count, std::int8_t* to) {
  Real largest_size = 0, nothing = 0;
#pragma omp simd reduction(max : largest_size) reduction(+ : nothing)
  for (Index i = 0; i < count; ++i) {
    const Real size = std::abs(row[i]);
    largest_size = size > largest_size ? size : largest_size;
    nothing += row[i] - row[i];  // 0, but NaN of what is not finite
  }
  const bool is_finite = nothing == 0;
  const Real steps = most_quantized / largest_size;  // in a unit
  if (!is_finite || !std::isfinite(steps)) {
    std::fill_n(to, count, std::int8_t(0));
    return is_finite ? Real(0) : std::numeric_limits<Real>::quiet_NaN();
  }
#pragma omp simd
  for (Index i = 0; i < count; ++i) {
    const Real whole = (row[i] * steps + rounding) - rounding;
    to[i] = static_cast<std::int8_t>(static_cast<std::int32_t>(whole));
  }
  return largest_size / most_quantized;
}

}  // namespace

QuantizedRows quantize_rows(Index rows, Index columns, MatrixView x) {
  constexpr Index bytes_in_one = sizeof(Real);
  check_matrix("quantized rows", rows, columns, x);
  const Index count = Shape{rows, columns}.size();
  QuantizedRows result{rows, columns, Tensor(Shape{rows}),
                       Block(count / bytes_in_one + (count % bytes_in_one > 0))};
  parallel_rows(rows, columns,
                [=, scales = result.scales.unguarded_data(),
                 to = reinterpret_cast<std::int8_t*>(result.bytes.data())](Index first, Index last) {
                  std::vector<Real> turned(static_cast<std::size_t>(x.transposed ? columns : 0));
                  for (Index i = first; i < last; ++i) {
                    const Real* row = x.transposed ? turned.data() : x.from(i, 0).data;
                    for (Index p = 0; x.transposed && p < columns; ++p)
                      turned[static_cast<std::size_t>(p)] = x.data[p * x.stride + i];
                    scales[i] = quantize_row(row, columns, to + i * columns);
                  }
                });
  return result;
}

}  // namespace gradual
