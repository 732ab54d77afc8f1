#include <cmath>

#include "03-attention/attention.hpp"

namespace gradual {

Tensor attention_scores(const Tensor& q, const Tensor& k) {
  const Index B = q.dim(0), T = q.dim(1), S = k.dim(1), d = q.dim(2);
  Tensor scores = Tensor::zeros({B, T, S});
  Real* to = scores.mutable_data();
  for (Index b = 0; b < B; ++b)
    for (Index t = 0; t < T; ++t)
      for (Index s = 0; s < S; ++s, ++to) {
        for (Index i = 0; i < d; ++i) *to += q.data()[(b * T + t) * d + i] * k.data()[(b * S + s) * d + i];
        *to /= std::sqrt(Real(d));
      }
  return scores;
}

}  // namespace gradual
