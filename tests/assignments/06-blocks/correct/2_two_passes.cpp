// Columns first, then rows.
#include <vector>

#include <gradual/core/rows/norms.hpp>

namespace gradual {

NormGradients layer_norm_backward(const Tensor& x, const Tensor& gain, const NormStatistics& statistics,
                                  const Tensor& dy, Tensor& dx, bool accumulate) {
  const Index D = gain.size();
  std::vector<Real> normal(static_cast<std::size_t>(x.size()));
  for (Index i = 0; i < x.size(); ++i)
    normal[static_cast<std::size_t>(i)] =
        (x.data()[i] - statistics.mean.data()[i / D]) * statistics.inverse_deviation.data()[i / D];
  std::vector<Real> d_gain(static_cast<std::size_t>(D)), d_bias(d_gain);
  for (Index i = 0; i < x.size(); ++i) {
    d_gain[static_cast<std::size_t>(i % D)] += dy.data()[i] * normal[static_cast<std::size_t>(i)];
    d_bias[static_cast<std::size_t>(i % D)] += dy.data()[i];
  }
  if (!accumulate) dx.fill(0);
  Real* to = dx.mutable_data();
  for (Index first = 0; first < x.size(); first += D) {
    Real a = 0, b = 0;
    for (Index i = 0; i < D; ++i) {
      const Real g = dy.data()[first + i] * gain.data()[i];
      a += g, b += g * normal[static_cast<std::size_t>(first + i)];
    }
    for (Index i = 0; i < D; ++i) {
      const Real n = normal[static_cast<std::size_t>(first + i)], g = dy.data()[first + i] * gain.data()[i];
      to[first + i] +=
          statistics.inverse_deviation.data()[first / D] * (g - (a + n * b) / static_cast<Real>(D));
    }
  }
  return {Tensor({D}, d_gain), Tensor({D}, d_bias)};
}

}  // namespace gradual
