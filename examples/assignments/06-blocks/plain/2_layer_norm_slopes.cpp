// The plain version: row by row.
#include <gradual/core/rows/norms.hpp>

namespace gradual {

NormGradients layer_norm_backward(const Tensor& x, const Tensor& gain, const NormStatistics& statistics,
                                  const Tensor& dy, Tensor& dx, bool accumulate) {
  const Index D = x.dim(-1), rows = x.size() / D;
  const Real count = static_cast<Real>(D);
  NormGradients sums{Tensor::zeros({D}), Tensor::zeros({D})};
  Real *d_gain = sums.gain.mutable_data(), *d_bias = sums.bias.mutable_data(), *to = dx.mutable_data();
  for (Index r = 0; r < rows; ++r, to += D) {
    const Real *row = x.data() + r * D, *upstream = dy.data() + r * D;
    const Real mean = statistics.mean.data()[r], inverse = statistics.inverse_deviation.data()[r];
    const auto normal = [&](Index i) { return (row[i] - mean) * inverse; };
    const auto g = [&](Index i) { return upstream[i] * gain.data()[i]; };
    Real mean_g = 0, mean_gx = 0;
    for (Index i = 0; i < D; ++i) {
      mean_g += g(i) / count;
      mean_gx += g(i) * normal(i) / count;
      d_gain[i] += upstream[i] * normal(i);
      d_bias[i] += upstream[i];
    }
    for (Index i = 0; i < D; ++i) {
      const Real slope = (g(i) - mean_g - normal(i) * mean_gx) * inverse;
      to[i] = accumulate ? to[i] + slope : slope;
    }
  }
  return sums;
}

}  // namespace gradual
