#include <cmath>

#include <gradual/core/attention/additive.hpp>

namespace gradual {

// tanh x = 1 - 2/(e^(2x) + 1), and the hidden units outside.
Tensor additive_scores(const Tensor& q, const Tensor& k, const Tensor& v) {
  const Index B = q.dim(0), T = q.dim(1), S = k.dim(1), H = v.dim(0);
  Tensor y = Tensor::zeros({B, T, S});
  for (Index h = 0; h < H; ++h)
    for (Index b = 0; b < B; ++b)
      for (Index t = 0; t < T; ++t)
        for (Index s = 0; s < S; ++s) {
          const Real x = q.data()[(b * T + t) * H + h] + k.data()[(b * S + s) * H + h];
          y.mutable_data()[(b * T + t) * S + s] += v.data()[h] * (1 - 2 / (std::exp(2 * x) + 1));
        }
  return y;
}

}  // namespace gradual
