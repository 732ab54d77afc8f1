#include <gradual/core/elements/arithmetic.hpp>
#include <gradual/core/elements/reductions.hpp>
#include <gradual/core/rows/norms.hpp>

namespace gradual {

NormGradients layer_norm_backward(const Tensor& x, const Tensor& gain, const NormStatistics& statistics,
                                  const Tensor& dy, Tensor& dx, bool accumulate) {
  const Index D = gain.size();
  const Tensor inverse = statistics.inverse_deviation.reshaped({-1, 1}), flat = dy.reshaped({-1, D});
  const Tensor normal = (x.reshaped({-1, D}) - statistics.mean.reshaped({-1, 1})) * inverse, g = flat * gain;
  const Tensor own = inverse * (g - mean(g, {1}, Axis::kept) - normal * mean(g * normal, {1}, Axis::kept));
  dx = accumulate ? dx + own.with_shape(dx.shape()) : own.with_shape(dx.shape());
  return {sum(flat * normal, {0}), sum(flat, {0})};
}

}  // namespace gradual
