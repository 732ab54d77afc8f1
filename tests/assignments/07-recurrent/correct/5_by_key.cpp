#include <cmath>

#include <gradual/core/attention/additive.hpp>

namespace gradual {

// Three sums, each by itself.
AdditiveGradients additive_scores_backward(const Tensor& q, const Tensor& k, const Tensor& v,
                                           const Tensor& dy) {
  const Index B = q.dim(0), T = q.dim(1), S = k.dim(1), H = v.dim(0);
  const auto hidden = [&](Index b, Index t, Index s, Index h) { return std::tanh(q({b, t, h}) + k({b, s, h})); };
  const auto inside = [&](Index b, Index t, Index s, Index h) {
    const Real a = hidden(b, t, s, h);
    return dy({b, t, s}) * v({h}) * (1 - a) * (1 + a);
  };
  AdditiveGradients slopes{Tensor::zeros(q.shape()), Tensor::zeros(k.shape()), Tensor::zeros({H})};
  for (Index h = 0; h < H; ++h) {
    for (Index b = 0; b < B; ++b) {
      for (Index t = 0; t < T; ++t)
        for (Index s = 0; s < S; ++s) slopes.q.mutable_data()[(b * T + t) * H + h] += inside(b, t, s, h);
      for (Index s = 0; s < S; ++s)
        for (Index t = 0; t < T; ++t) slopes.k.mutable_data()[(b * S + s) * H + h] += inside(b, t, s, h);
      for (Index t = 0; t < T; ++t)
        for (Index s = 0; s < S; ++s) slopes.v.mutable_data()[h] += dy({b, t, s}) * hidden(b, t, s, h);
    }
  }
  return slopes;
}

}  // namespace gradual
