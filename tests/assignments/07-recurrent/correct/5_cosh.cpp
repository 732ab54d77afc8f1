#include <cmath>

#include <gradual/core/attention/additive.hpp>

namespace gradual {

// The slope of tanh as 1/cosh², key after key.
AdditiveGradients additive_scores_backward(const Tensor& q, const Tensor& k, const Tensor& v,
                                           const Tensor& dy) {
  AdditiveGradients slopes{Tensor::zeros(q.shape()), Tensor::zeros(k.shape()), Tensor::zeros(v.shape())};
  const Index T = q.dim(1), S = k.dim(1), H = q.dim(2);
  for (Index b = 0; b < q.dim(0); ++b)
    for (Index s = 0; s < S; ++s)
      for (Index t = 0; t < T; ++t)
        for (Index h = 0; h < H; ++h) {
          const Real x = q({b, t, h}) + k({b, s, h}), steepness = 1 / (std::cosh(x) * std::cosh(x));
          const Real back = dy({b, t, s}) * v({h}) * steepness;
          slopes.q.mutable_data()[(b * T + t) * H + h] += back;
          slopes.k.mutable_data()[(b * S + s) * H + h] += back;
          slopes.v.mutable_data()[h] += dy({b, t, s}) * std::tanh(x);
        }
  return slopes;
}

}  // namespace gradual
