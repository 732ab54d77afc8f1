// One number of the weights at a time, with Σ P·dP = y·dy.
#include <cmath>

#include "04-heads/heads.hpp"

namespace gradual {

FusedGradients fused_attention_backward(const Tensor& q, const Tensor& k, const Tensor& v, Index heads,
                                        const Tensor& weights, const Tensor& dy) {
  const Index B = q.dim(0), T = q.dim(1), S = k.dim(1), D = q.dim(2), d = D / heads;
  FusedGradients all{Tensor::zeros(q.shape()), Tensor::zeros(k.shape()), Tensor::zeros(v.shape())};
  Real *dq = all.q.mutable_data(), *dk = all.k.mutable_data(), *dv = all.v.mutable_data();
  for (Index n = 0; n < B * heads * T; ++n) {
    const Index query = (n / T / heads * T + n % T) * D + n / T % heads * d;
    const auto key = [&](Index s) { return (n / T / heads * S + s) * D + n / T % heads * d; };
    const auto dot = [&](Index s) {
      Real sum = 0;
      for (Index i = 0; i < d; ++i) sum += dy.data()[query + i] * v.data()[key(s) + i];
      return sum;
    };
    Real y_dy = 0;
    for (Index s = 0; s < S; ++s) y_dy += weights.data()[n * S + s] * dot(s);
    for (Index s = 0; s < S; ++s) {
      const Real weight = weights.data()[n * S + s], slope = weight * (dot(s) - y_dy) / std::sqrt(Real(d));
      for (Index i = 0; i < d; ++i) {
        dq[query + i] += slope * k.data()[key(s) + i];
        dk[key(s) + i] += slope * q.data()[query + i];
        dv[key(s) + i] += weight * dy.data()[query + i];
      }
    }
  }
  return all;
}

}  // namespace gradual
