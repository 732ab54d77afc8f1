// The whole matrix of slopes of each row of weights, [B, T, S, S]: P_i·([i = j] - P_j).
#include <cmath>

#include <gradual/core/elements/arithmetic.hpp>
#include <gradual/core/elements/arrangement.hpp>
#include <gradual/core/products/products.hpp>

#include "03-attention/attention.hpp"

namespace gradual {

ScoreGradients attention_scores_backward(const Tensor& q, const Tensor& k, const Tensor& weights,
                                         const Tensor& d_weights) {
  const Index B = q.dim(0), T = q.dim(1), S = k.dim(1);
  Tensor one = Tensor::zeros({S, S});
  for (Index i = 0; i < S; ++i) one.mutable_data()[i * S + i] = 1;
  const Tensor column = weights.reshaped({B, T, S, 1}), row = weights.reshaped({B, T, 1, S});
  const Tensor jacobian = column * (one - row);
  const Tensor d_scores = matmul(d_weights.reshaped({B, T, 1, S}), jacobian).reshaped({B, T, S});
  const Real root = std::sqrt(static_cast<Real>(q.dim(2)));
  return {matmul(d_scores, k) / root, matmul(transpose(d_scores), q) / root};
}

}  // namespace gradual
