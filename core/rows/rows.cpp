#include <gradual/core/rows/rows.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <gradual/core/elements/vector_math.hpp>
#include <gradual/core/error.hpp>
#include <gradual/core/threads.hpp>

namespace gradual {
namespace {

Index last_axis(const char* operation, const Tensor& x) {
  if (x.rank() == 0)
    throw std::invalid_argument(text(operation, ": x must have at least one axis: x is ", x.shape()));
  return x.dim(-1);
}

Index row_count(const Tensor& x, Index width) { return width == 0 ? 0 : x.size() / width; }

Real largest(const Real* row, Index count) {
  Real result = -std::numeric_limits<Real>::infinity();
#pragma omp simd reduction(max : result)
  for (Index i = 0; i < count; ++i) result = row[i] > result ? row[i] : result;
  return result;
}

Real sum_of_exponentials(const Real* row, Index count, Real offset) {
  Real total = 0;
#pragma omp simd reduction(+ : total)
  for (Index i = 0; i < count; ++i) total += vector_exp(row[i] - offset);
  return total;
}

// A row without a key, or with all scores -∞, gets no weight at all instead of 0/0.
bool has_no_weight(const Real* row, Index valid, Real top) {
  return !(top > -std::numeric_limits<Real>::infinity()) &&
         std::none_of(row, row + valid, [](Real score) { return std::isnan(score); });
}

RowSum no_weight(Real* row, Index width, Real top) {
  std::fill_n(row, width, Real(0));
  return {top, 1};
}

// The softmax of a row that fits a few vector registers: a copy filled up with -∞, whose exponentials are 0,
// lets every loop run over whole registers. The plain loops below take four times as long for a dozen keys.
template <Index lanes>
RowSum softmax_short_row(Real* row, Index valid, Index width) {
  alignas(64) Real x[lanes];
  for (Index i = 0; i < lanes; ++i) x[i] = i < valid ? row[i] : -std::numeric_limits<Real>::infinity();
  const Real top = largest(x, lanes);
  if (has_no_weight(row, valid, top)) return no_weight(row, width, top);
  Real total = 0;
#pragma omp simd reduction(+ : total)
  for (Index i = 0; i < lanes; ++i) {
    x[i] = vector_exp(x[i] - top);
    total += x[i];
  }
  const Real scale = 1 / total;
  for (Index i = 0; i < width; ++i) row[i] = x[i] * scale;
  return {top, total};
}

}  // namespace

RowSum softmax_row(Real* row, Index valid, Index width) {
  if (width <= 16) return softmax_short_row<16>(row, valid, width);
  const Real top = largest(row, valid);
  if (has_no_weight(row, valid, top)) return no_weight(row, width, top);
  Real total = 0;
#pragma omp simd reduction(+ : total)
  for (Index i = 0; i < valid; ++i) {
    const Real e = vector_exp(row[i] - top);
    row[i] = e;
    total += e;
  }
  const Real scale = 1 / total;
#pragma omp simd
  for (Index i = 0; i < valid; ++i) row[i] *= scale;
  std::fill(row + valid, row + width, Real(0));
  return {top, total};
}

void softmax_row_again(Real* row, Index valid, Index width, Real log_sum) {
#pragma omp simd
  for (Index i = 0; i < valid; ++i) row[i] = vector_exp(row[i] - log_sum);
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
  const Index width = y.dim(-1);
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
  const Index width = y.dim(-1);
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
  const Index count = row_count(x, width);
  const Index repeat = valid.size() == 0 ? 1 : std::max<Index>(count / valid.size(), 1);
  parallel_rows(count, width, [=, length = valid.data()](Index first, Index last) {
    for (Index r = first; r < last; ++r) softmax_row(rows + r * width, length[r / repeat], width);
  });
  return y;
}

Tensor layer_norm(const Tensor& x, const Tensor& gain, const Tensor& bias, Real epsilon,
                  NormStatistics& statistics) {
  const Index width = last_axis("layer_norm", x);
  if (gain.shape() != Shape{width} || bias.shape() != Shape{width})
    throw std::invalid_argument(text("layer_norm: gain and bias must have the size of the last axis: x is ",
                                     x.shape(), ", gain is ", gain.shape(), ", bias is ", bias.shape()));
  const Index rows = row_count(x, width);
  statistics = {Tensor(Shape{rows}), Tensor(Shape{rows})};
  Tensor y(x.shape());
  parallel_rows(rows, width,
                [=, from = x.data(), g = gain.data(), b = bias.data(), to = y.unguarded_data(),
                 means = statistics.mean.unguarded_data(),
                 inverses = statistics.inverse_deviation.unguarded_data()](Index first, Index last) {
                  for (Index r = first; r < last; ++r) {
                    const Real* row = from + r * width;
                    Real total = 0;
#pragma omp simd reduction(+ : total)
                    for (Index i = 0; i < width; ++i) total += row[i];
                    const Real mean = total / static_cast<Real>(width);
                    // The variance around the mean in a pass of its own: E[x²] - E[x]² loses all digits where
                    // the mean is large.
                    Real squares = 0;
#pragma omp simd reduction(+ : squares)
                    for (Index i = 0; i < width; ++i) squares += (row[i] - mean) * (row[i] - mean);
                    const Real inverse = 1 / std::sqrt(squares / static_cast<Real>(width) + epsilon);
                    means[r] = mean;
                    inverses[r] = inverse;
#pragma omp simd
                    for (Index i = 0; i < width; ++i)
                      to[r * width + i] = (row[i] - mean) * inverse * g[i] + b[i];
                  }
                });
  return y;
}

LayerNormGradients layer_norm_backward(const Tensor& x, const Tensor& gain, const NormStatistics& statistics,
                                       const Tensor& dy, Tensor& dx, bool accumulate) {
  const Index width = x.dim(-1);
  const Index rows = row_count(x, width);
  // The sums over rows are made of partial sums over fixed pieces, so that threads can share them without
  // changing a bit.
  const Index pieces = even_chunks(rows * width / 12288, std::min<Index>(8, std::max<Index>(rows, 1)));
  Tensor partial = Tensor::zeros({pieces, 2, width});
  Real* sums = partial.unguarded_data();
  Real* to = dx.unguarded_data();
  parallel_for(
      pieces, [=, from = x.data(), g = gain.data(), upstream = dy.data(), means = statistics.mean.data(),
               inverses = statistics.inverse_deviation.data()](Index piece) {
        Real* d_gain = sums + piece * 2 * width;
        Real* d_bias = d_gain + width;
        for (Index r = rows * piece / pieces; r < rows * (piece + 1) / pieces; ++r) {
          const Real *row = from + r * width, *d = upstream + r * width;
          const Real mean = means[r], inverse = inverses[r];
          Real sum_g = 0, sum_gx = 0;
#pragma omp simd reduction(+ : sum_g, sum_gx)
          for (Index i = 0; i < width; ++i) {
            const Real normal = (row[i] - mean) * inverse;
            const Real scaled = d[i] * g[i];
            sum_g += scaled;
            sum_gx += scaled * normal;
            d_gain[i] += d[i] * normal;
            d_bias[i] += d[i];
          }
          const Real mean_g = sum_g / static_cast<Real>(width), mean_gx = sum_gx / static_cast<Real>(width);
          Real* out = to + r * width;
          if (accumulate) {
#pragma omp simd
            for (Index i = 0; i < width; ++i)
              out[i] += (d[i] * g[i] - mean_g - (row[i] - mean) * inverse * mean_gx) * inverse;
          } else {
#pragma omp simd
            for (Index i = 0; i < width; ++i)
              out[i] = (d[i] * g[i] - mean_g - (row[i] - mean) * inverse * mean_gx) * inverse;
          }
        }
      });
  LayerNormGradients gradients{Tensor::zeros({width}), Tensor::zeros({width})};
  Real *gain_sum = gradients.gain.unguarded_data(), *bias_sum = gradients.bias.unguarded_data();
  for (Index piece = 0; piece < pieces; ++piece) {
    for (Index i = 0; i < width; ++i) {
      gain_sum[i] += sums[(2 * piece) * width + i];
      bias_sum[i] += sums[(2 * piece + 1) * width + i];
    }
  }
  return gradients;
}

}  // namespace gradual
