#include <cmath>

#include "03-attention/attention.hpp"

namespace gradual {

ScoreGradients attention_scores_backward(const Tensor& q, const Tensor& k, const Tensor& weights,
                                         const Tensor& d_weights) {
  const Index B = q.dim(0), T = q.dim(1), S = k.dim(1), d = q.dim(2);
  ScoreGradients slopes{Tensor::zeros(q.shape()), Tensor::zeros(k.shape())};
  for (Index b = 0; b < B; ++b) {
    for (Index t = 0; t < T; ++t) {
      const Index query = b * T + t;
      double mean = 0;
      for (Index s = query * S; s < (query + 1) * S; ++s) mean += weights.data()[s] * d_weights.data()[s];
      for (Index s = 0; s < S; ++s) {
        const Index at = query * S + s, key = b * S + s;
        const double slope = weights.data()[at] * (d_weights.data()[at] - mean) / std::sqrt(double(d));
        for (Index i = 0; i < d; ++i) {
          slopes.q.mutable_data()[query * d + i] += Real(slope * k.data()[key * d + i]);
          slopes.k.mutable_data()[key * d + i] += Real(slope * q.data()[query * d + i]);
        }
      }
    }
  }
  return slopes;
}

}  // namespace gradual
