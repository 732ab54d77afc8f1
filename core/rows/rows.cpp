#include <gradual/core/rows/rows.hpp>

#include <algorithm>
#include <cmath>

#include <gradual/core/checks.hpp>
#include <gradual/core/rows/passes.hpp>
#include <gradual/core/threads.hpp>

namespace gradual {
namespace {

Index last_axis(const char* operation, const Tensor& x) {
  if (x.rank() == 0)
    throw std::invalid_argument(text(operation, ": x must have at least one axis: x is ", x.shape()));
  return x.dim(-1);
}

Index row_count(const Tensor& x, Index width) { return width == 0 ? 0 : x.size() / width; }

// The softmax of a row that fits a few vector registers: a copy filled up with -∞, whose exponentials are 0,
// lets every loop run over whole registers. The plain loops below take four times as long for a dozen keys.
template <Index lanes>
void softmax_short_row(Real* row, Index valid, Index width) {
  alignas(64) Real x[lanes];
  for (Index i = 0; i < lanes; ++i) x[i] = i < valid ? row[i] : minus_infinity;
  const Real top = exponent_offset(x, lanes);
  Real total = 0;
#pragma omp simd reduction(+ : total)
  for (Index i = 0; i < lanes; ++i) {
    x[i] = vector_exp_of_negative(x[i] - top);
    total += x[i];
  }
  const Real scale = inverse_total(total);
  // Whole registers once more: of rows whose lengths differ, branches would be guessed wrong.
  for (Index i = 0; i < lanes; ++i) x[i] = i < valid ? x[i] * scale : Real(0);
  std::copy_n(x, width, row);
}

}  // namespace

void softmax_row(Real* row, Index valid, Index width) {
  if (width <= 16) return softmax_short_row<16>(row, valid, width);
  const Real top = exponent_offset(row, valid);
  Real total = 0;
#pragma omp simd reduction(+ : total)
  for (Index i = 0; i < valid; ++i) {
    const Real e = vector_exp_of_negative(row[i] - top);
    row[i] = e;
    total += e;
  }
  const Real scale = inverse_total(total);
#pragma omp simd
  for (Index i = 0; i < valid; ++i) row[i] *= scale;
  std::fill(row + valid, row + width, Real(0));
}

void softmax_backward_row(const Real* y, Real* dy, Index width) {
  Real dot = 0;
#pragma omp simd reduction(+ : dot)
  for (Index i = 0; i < width; ++i) dot += y[i] * dy[i];
#pragma omp simd
  for (Index i = 0; i < width; ++i) dy[i] = y[i] * (dy[i] - dot);
}

Tensor softmax(const Tensor& x) {
  const Index width = last_axis("softmax", x);
  Tensor y = x;
  Real* rows = y.unguarded_data();
  parallel_rows(row_count(x, width), width, [=](Index first, Index last) {
    for (Index r = first; r < last; ++r) softmax_row(rows + r * width, width, width);
  });
  return y;
}

Tensor softmax_backward(const Tensor& y, const Tensor& dy) {
  const Index width = last_axis("softmax_backward", y);
  check_shape("softmax_backward", "dy", dy, y.shape());
  Tensor dx = dy;
  Real* rows = dx.unguarded_data();
  parallel_rows(row_count(y, width), width, [=, weights = y.data()](Index first, Index last) {
    for (Index r = first * width; r < last * width; r += width)
      softmax_backward_row(weights + r, rows + r, width);
  });
  return dx;
}

Tensor log_softmax(const Tensor& x) {
  const Index width = last_axis("log_softmax", x);
  Tensor y(x.shape());
  Real* to = y.unguarded_data();
  parallel_rows(row_count(x, width), width, [=, from = x.data()](Index first, Index last) {
    for (Index r = first * width; r < last * width; r += width) {
      const Real top = largest(from + r, width);
      const Real log_sum = std::log(sum_of_exponentials(from + r, width, top));
      // Not x - (top + log_sum): that sum loses digits when all logits are large.
#pragma omp simd
      for (Index i = 0; i < width; ++i) to[r + i] = (from[r + i] - top) - log_sum;
    }
  });
  return y;
}

Tensor log_softmax_backward(const Tensor& y, const Tensor& dy) {
  const Index width = last_axis("log_softmax_backward", y);
  check_shape("log_softmax_backward", "dy", dy, y.shape());
  Tensor dx(y.shape());
  Real* to = dx.unguarded_data();
  parallel_rows(row_count(y, width), width,
                [=, from = y.data(), upstream = dy.data()](Index first, Index last) {
                  for (Index r = first * width; r < last * width; r += width) {
                    Real total = 0;
#pragma omp simd reduction(+ : total)
                    for (Index i = 0; i < width; ++i) total += upstream[r + i];
#pragma omp simd
                    for (Index i = 0; i < width; ++i)
                      to[r + i] = upstream[r + i] - vector_exp(from[r + i]) * total;
                  }
                });
  return dx;
}

Tensor masked_softmax(const Tensor& x, const Indices& valid) {
  const Index width = last_axis("masked_softmax", x);
  const Shape& lengths = valid.shape();
  if (lengths.rank() == 0 || lengths.rank() >= x.rank() || lengths != x.shape().slice(0, lengths.rank()))
    throw std::invalid_argument(
        text("masked_softmax: valid lengths must have the first axes of the scores, such as [B] or "
             "[B, T]: scores are ",
             x.shape(), ", valid lengths are ", lengths));
  for (std::int32_t length : valid) {
    if (length < 0 || length > width)
      throw std::invalid_argument(text("masked_softmax: valid lengths must lie in 0 … number of keys: got ",
                                       length, " of ", width, " keys"));
  }
  Tensor y = x;
  Real* rows = y.unguarded_data();
  const Index repeat = x.shape().slice(lengths.rank(), x.rank() - 1).size();  // rows of one length
  parallel_rows(row_count(x, width), width, [=, length = valid.data()](Index first, Index last) {
    for (Index r = first; r < last; ++r) softmax_row(rows + r * width, length[r / repeat], width);
  });
  return y;
}

}  // namespace gradual
