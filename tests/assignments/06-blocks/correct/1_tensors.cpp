#include <cmath>

#include <gradual/core/elements/arithmetic.hpp>
#include <gradual/core/elements/functions.hpp>
#include <gradual/core/elements/reductions.hpp>
#include <gradual/core/rows/norms.hpp>

namespace gradual {

Tensor layer_norm(const Tensor& x, const Tensor& gain, const Tensor& bias, Real epsilon,
                  NormStatistics& statistics) {
  const Tensor centre = mean(x, {-1}, Axis::kept), away = x - centre;
  const Tensor inverse = 1 / sqrt(mean(away * away, {-1}, Axis::kept) + epsilon);
  statistics.mean = centre.reshaped({-1});
  statistics.inverse_deviation = inverse.reshaped({-1});
  return away * inverse * gain + bias;
}

}  // namespace gradual
