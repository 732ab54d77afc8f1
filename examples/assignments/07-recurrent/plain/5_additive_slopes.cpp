#include <cmath>

#include <gradual/core/attention/additive.hpp>

namespace gradual {

AdditiveGradients additive_scores_backward(const Tensor& q, const Tensor& k, const Tensor& v,
                                           const Tensor& dy) {
  const Index B = q.dim(0), T = q.dim(1), S = k.dim(1), H = q.dim(2);
  AdditiveGradients slopes{Tensor::zeros(q.shape()), Tensor::zeros(k.shape()), Tensor::zeros(v.shape())};
  Real *dq = slopes.q.mutable_data(), *dk = slopes.k.mutable_data(), *dv = slopes.v.mutable_data();
  for (Index b = 0; b < B; ++b) {
    for (Index t = 0; t < T; ++t) {
      for (Index s = 0; s < S; ++s) {
        const Index query = (b * T + t) * H, key = (b * S + s) * H;
        const Real d = dy.data()[(b * T + t) * S + s];
        for (Index h = 0; h < H; ++h) {
          const Real a = std::tanh(q.data()[query + h] + k.data()[key + h]);
          const Real inside = d * v.data()[h] * (1 - a * a);
          dq[query + h] += inside;
          dk[key + h] += inside;
          dv[h] += d * a;
        }
      }
    }
  }
  return slopes;
}

}  // namespace gradual
