#include "03-attention/attention.hpp"

namespace gradual {

AverageGradients attention_average_backward(const Tensor& weights, const Tensor& v, const Tensor& dy) {
  const Index B = weights.dim(0), T = weights.dim(1), S = weights.dim(2), d = v.dim(2);
  AverageGradients slopes{Tensor::zeros(weights.shape()), Tensor::zeros(v.shape())};
  Real *dp = slopes.weights.mutable_data(), *dv = slopes.v.mutable_data();
  for (Index b = 0; b < B; ++b)
    for (Index t = 0; t < T; ++t)
      for (Index s = 0; s < S; ++s)
        for (Index i = 0; i < d; ++i) {
          const Index weight = (b * T + t) * S + s, value = (b * S + s) * d + i;
          const Real upstream = dy.data()[(b * T + t) * d + i];
          dp[weight] += upstream * v.data()[value];
          dv[value] += upstream * weights.data()[weight];
        }
  return slopes;
}

}  // namespace gradual
