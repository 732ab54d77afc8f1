// Sums of rows and of columns: of the numbers of a tensor, or of what is made of them.
//
// Long sums are made in double: a million floats, summed in float, lose three digits, and two may be too
// large for one. element(i) is the i-th of all terms. A sum is multiplied by a factor while it is in double,
// which makes it a mean.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include <gradual/core/elements/axis_view.hpp>
#include <gradual/core/threads.hpp>

namespace gradual {

/// Whose sums are made side by side.
constexpr Index most_columns = 1024;

/// Σ of the row of this number.
template <class Element>
[[gnu::flatten]] double sum_row(Element element, Index row, Index width) {
  double total = 0;
#pragma omp simd reduction(+ : total)
  for (Index i = 0; i < width; ++i) total += static_cast<double>(element(row * width + i));
  return total;
}

/// to_r = factor·Σ of row r
template <class Element>
void sum_rows(Element element, Index rows, Index width, Real* to, double factor = 1) {
  parallel_each_row(rows, width,
                    [=](Index r) { to[r] = static_cast<Real>(factor * sum_row(element, r, width)); });
}

/// to_c = factor·Σ of column c, for `count` columns from c on, at most most_columns: rows as they lie in
/// memory, eight together, beside sums that stay in the nearest cache. Large matrices come from memory, which
/// is read fastest in its order.
template <class Element>
[[gnu::flatten]] void sum_some_columns(Element element, Index rows, Index width, Index c, Index count,
                                       Real* to, double factor) {
  constexpr Index rows_in_float = 64, together = 8;  // rows_in_float: before they are added in double
  double total[most_columns];
  std::fill_n(total, count, 0);
  for (Index start = 0; start < rows; start += rows_in_float) {
    const Index end = std::min(rows, start + rows_in_float);
    Real partial[most_columns];
    std::fill_n(partial, count, Real(0));
    Index r = start;
    for (; r + together <= end; r += together) {
#pragma omp simd
      for (Index i = 0; i < count; ++i) {
        Real sum = partial[i];
        for (Index k = 0; k < together; ++k) sum += element((r + k) * width + c + i);
        partial[i] = sum;
      }
    }
    for (; r < end; ++r) {
#pragma omp simd
      for (Index i = 0; i < count; ++i) partial[i] += element(r * width + c + i);
    }
    for (Index i = 0; i < count; ++i) total[i] += static_cast<double>(partial[i]);
  }
  for (Index i = 0; i < count; ++i) {
    if (!std::isfinite(total[i])) {  // a part of it may have been too large for a Real
      total[i] = 0;
      for (Index r = 0; r < rows; ++r) total[i] += static_cast<double>(element(r * width + c + i));
    }
    to[c + i] = static_cast<Real>(factor * total[i]);
  }
}

/// to_c = factor·Σ of column c
template <class Element>
void sum_columns(Element element, Index rows, Index width, Real* to, double factor = 1) {
  constexpr Index least = 128;  // columns of a thread: long runs of memory
  parallel_rows((width + least - 1) / least, rows * least, [=](Index first, Index last) {
    const Index end = std::min(last * least, width);
    for (Index c = first * least; c < end; c += most_columns)
      sum_some_columns(element, rows, width, c, std::min(most_columns, end - c), to, factor);
  });
}

/// The mean and Σ (x - mean)² of x_first …, a row that is not empty, in one pass, by the distances from its
/// first number: n of them lose no more than n units of a double.
template <class Element>
[[gnu::flatten]] std::pair<double, double> sums_of_distances(Element element, Index first, Index width) {
  const auto from = static_cast<double>(element(first));
  double sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum, squares)
  for (Index i = first; i < first + width; ++i) {
    const double distance = static_cast<double>(element(i)) - from;
    sum += distance;
    squares += distance * distance;
  }
  return {from + sum / static_cast<double>(width),
          std::max(squares - sum * sum / static_cast<double>(width), 0.0)};
}

/// Sums over the axis in the middle, times a factor.
template <class Element>
void sum_view(Element element, const AxisView& v, Real* to, double factor = 1) {
  if (v.inner == 1) return sum_rows(element, v.outer, v.size, to, factor);
  for (Index o = 0; o < v.outer; ++o)
    sum_columns([=](Index i) { return element(o * v.size * v.inner + i); }, v.size, v.inner, to + o * v.inner,
                factor);
}

}  // namespace gradual
