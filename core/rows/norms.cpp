#include <gradual/core/rows/norms.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <gradual/core/checks.hpp>
#include <gradual/core/threads.hpp>

namespace gradual {
namespace {

// A layer norm looks at numbers from their mean, an RMS norm from zero.
enum class Origin { mean, zero };

// Half of x - mean: the difference itself can be larger than a Real holds.
Real half_distance(Real x, Real half_mean) { return x * Real(0.5) - half_mean; }

struct Moments {
  Real mean, inverse_deviation;
};

// The moments of a row measured in units of 2^unit: of 1 as long as the squares can be added up, of much
// larger ones where they overflow, and of much smaller ones where they vanish. Of short rows, a call would
// take a tenth of the time.
template <Origin origin, int unit = 0>
[[gnu::always_inline]] inline Moments moments(const Real* row, Index width, Real epsilon) {
  const Real per_unit = unit == 0 ? Real(1) : std::ldexp(Real(1), -unit);
  Real total = 0;
  if constexpr (origin == Origin::mean) {
#pragma omp simd reduction(+ : total)
    for (Index i = 0; i < width; ++i) total += row[i] * per_unit;
  }
  const Real mean = total / static_cast<Real>(width);
  // The variance around the mean in a pass of its own: E[x²] - E[x]² loses all digits where the mean is
  // large.
  Real squares = 0;
#pragma omp simd reduction(+ : squares)
  for (Index i = 0; i < width; ++i) squares += (row[i] * per_unit - mean) * (row[i] * per_unit - mean);
  const Real variance = squares / static_cast<Real>(width) + epsilon * per_unit * per_unit;
  if constexpr (unit == 0) {
    constexpr int far = std::numeric_limits<Real>::max_exponent / 4 * 3;
    if (!std::isfinite(squares)) return moments<origin, far>(row, width, epsilon);
    // Numbers around a mean of 1 or more are either far enough from it or all equal.
    if (variance < std::numeric_limits<Real>::min() && std::abs(mean) < 1)
      return moments<origin, -far>(row, width, epsilon);
  }
  return {mean / per_unit, per_unit / std::sqrt(variance)};
}

Index check(const char* operation, const Tensor& x, const Tensor& gain, Real epsilon) {
  if (x.rank() == 0)
    throw std::invalid_argument(text(operation, ": x must have at least one axis: x is ", x.shape()));
  if (gain.shape() != Shape{x.dim(-1)})
    throw std::invalid_argument(text(operation, ": the gain must have the size of the last axis: x is ",
                                     x.shape(), ", gain is ", gain.shape()));
  if (!(epsilon >= 0)) throw std::invalid_argument(text(operation, ": ε must be 0 or more: got ", epsilon));
  return x.dim(-1);
}

template <Origin origin>
Tensor norm(const Tensor& x, Index width, const Real* gain, const Real* bias, Real epsilon,
            NormStatistics& statistics) {
  const Index rows = width == 0 ? 0 : x.size() / width;
  statistics = {origin == Origin::mean ? Tensor(Shape{rows}) : Tensor(), Tensor(Shape{rows})};
  Real* const means = origin == Origin::mean ? statistics.mean.unguarded_data() : nullptr;
  Real* const inverses = statistics.inverse_deviation.unguarded_data();
  Tensor y(x.shape());
  parallel_rows(rows, width, [=, from = x.data(), to = y.unguarded_data()](Index first, Index last) {
    for (Index r = first; r < last; ++r) {
      const Real* row = from + r * width;
      Real* out = to + r * width;
      const Moments own = moments<origin>(row, width, epsilon);
      inverses[r] = own.inverse_deviation;
      const Real half_mean = own.mean / 2, twice = own.inverse_deviation * 2;
      if constexpr (origin == Origin::mean) {
        means[r] = own.mean;
#pragma omp simd
        for (Index i = 0; i < width; ++i)
          out[i] = half_distance(row[i], half_mean) * twice * gain[i] + bias[i];
      } else {
#pragma omp simd
        for (Index i = 0; i < width; ++i) out[i] = row[i] * own.inverse_deviation * gain[i];
      }
    }
  });
  return y;
}

template <Origin origin>
NormGradients norm_backward(const char* operation, const Tensor& x, const Tensor& gain,
                            const NormStatistics& statistics, const Tensor& dy, Tensor& dx, bool accumulate) {
  const Index width = check(operation, x, gain, 0), rows = width == 0 ? 0 : x.size() / width;
  check_shape(operation, "dy", dy, x.shape());
  check_shape(operation, "dx", dx, x.shape());
  check_shape(operation, "the inverse deviation", statistics.inverse_deviation, {rows});
  if (origin == Origin::mean) check_shape(operation, "the mean", statistics.mean, {rows});
  constexpr Index kinds = origin == Origin::mean ? 2 : 1;  // of sums: an RMS norm has no bias
  // The sums over rows are made of partial sums over fixed pieces, so that threads can share them without
  // changing a bit.
  const Index pieces = even_chunks(rows * width / 12288, std::min<Index>(8, std::max<Index>(rows, 1)));
  Tensor partial = Tensor::zeros({pieces, kinds, width});
  Real* sums = partial.unguarded_data();
  Real* to = dx.unguarded_data();
  parallel_for(
      pieces, [=, from = x.data(), g = gain.data(), upstream = dy.data(), means = statistics.mean.data(),
               inverses = statistics.inverse_deviation.data()](Index piece) {
        Real* d_gain = sums + piece * kinds * width;
        Real* d_bias = d_gain + width;
        for (Index r = rows * piece / pieces; r < rows * (piece + 1) / pieces; ++r) {
          const Real *row = from + r * width, *d = upstream + r * width;
          const Real half_mean = origin == Origin::mean ? means[r] / 2 : Real(0);
          const Real inverse = inverses[r], twice = inverse * 2;
          const auto own = [=](Index i) {  // the normalised number
            return origin == Origin::mean ? half_distance(row[i], half_mean) * twice : row[i] * inverse;
          };
          Real sum_g = 0, sum_gx = 0;
#pragma omp simd reduction(+ : sum_g, sum_gx)
          for (Index i = 0; i < width; ++i) {
            const Real normal = own(i);
            const Real scaled = d[i] * g[i];
            sum_g += scaled;
            sum_gx += scaled * normal;
            d_gain[i] += d[i] * normal;
            if constexpr (origin == Origin::mean) d_bias[i] += d[i];
          }
          const Real mean_g = origin == Origin::mean ? sum_g / static_cast<Real>(width) : Real(0);
          const Real mean_gx = sum_gx / static_cast<Real>(width);
          Real* out = to + r * width;
          const auto slope = [=](Index i) { return (d[i] * g[i] - mean_g - own(i) * mean_gx) * inverse; };
          if (accumulate) {
#pragma omp simd
            for (Index i = 0; i < width; ++i) out[i] += slope(i);
          } else {
#pragma omp simd
            for (Index i = 0; i < width; ++i) out[i] = slope(i);
          }
        }
      });
  const auto total = [=](Index kind) {
    Tensor result = Tensor::zeros({width});
    Real* const total_of = result.unguarded_data();
    for (Index piece = 0; piece < pieces; ++piece)
      for (Index i = 0; i < width; ++i) total_of[i] += sums[(piece * kinds + kind) * width + i];
    return result;
  };
  return {total(0), origin == Origin::mean ? total(1) : Tensor()};
}

}  // namespace

Tensor layer_norm(const Tensor& x, const Tensor& gain, const Tensor& bias, Real epsilon,
                  NormStatistics& statistics) {
  const Index width = check("layer_norm", x, gain, epsilon);
  check_shape("layer_norm", "the bias", bias, {width});
  return norm<Origin::mean>(x, width, gain.data(), bias.data(), epsilon, statistics);
}

Tensor rms_norm(const Tensor& x, const Tensor& gain, Real epsilon, NormStatistics& statistics) {
  const Index width = check("rms_norm", x, gain, epsilon);
  return norm<Origin::zero>(x, width, gain.data(), nullptr, epsilon, statistics);
}

NormGradients layer_norm_backward(const Tensor& x, const Tensor& gain, const NormStatistics& statistics,
                                  const Tensor& dy, Tensor& dx, bool accumulate) {
  return norm_backward<Origin::mean>("layer_norm_backward", x, gain, statistics, dy, dx, accumulate);
}

Tensor rms_norm_backward(const Tensor& x, const Tensor& gain, const NormStatistics& statistics,
                         const Tensor& dy, Tensor& dx, bool accumulate) {
  return norm_backward<Origin::zero>("rms_norm_backward", x, gain, statistics, dy, dx, accumulate).gain;
}

}  // namespace gradual
