#include "03-attention/attention.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gradual/core/elements/arithmetic.hpp>
#include <gradual/core/elements/arrangement.hpp>
#include <gradual/core/elements/functions.hpp>
#include <gradual/core/elements/reductions.hpp>
#include <gradual/core/products/products.hpp>

namespace gradual {

Tensor attention_scores(const Tensor& q, const Tensor& k) {
  const Real scale = 1 / std::sqrt(static_cast<Real>(q.dim(-1)));
  return matmul(scale * q, k, {false, true});
}

Tensor attention_weights(const Tensor& scores, const Tensor& visible) {
  const Index S = scores.dim(-1), rows = scores.size() / S;
  Tensor weights = scores;
  Real* row = weights.mutable_data();
  for (Index r = 0; r < rows; ++r, row += S) {
    const Real* seen = visible.data() + r % visible.dim(0) * S;
    Real top = -std::numeric_limits<Real>::infinity(), total = 0;
    for (Index s = 0; s < S; ++s)
      if (seen[s] != 0) top = std::max(top, row[s]);
    for (Index s = 0; s < S; ++s) {
      row[s] = seen[s] != 0 ? std::exp(row[s] - top) : 0;
      total += row[s];
    }
    for (Index s = 0; s < S; ++s) row[s] = total > 0 ? row[s] / total : 0;
  }
  return weights;
}

Tensor attention_average(const Tensor& weights, const Tensor& v) {
  const Index B = weights.dim(0), T = weights.dim(1), S = weights.dim(2), d = v.dim(2);
  Tensor y = Tensor::zeros({B, T, d});
  Real* averages = y.mutable_data();
  for (Index b = 0; b < B; ++b) {
    for (Index t = 0; t < T; ++t) {
      Real* average = averages + (b * T + t) * d;
      for (Index s = 0; s < S; ++s) {
        const Real weight = weights.data()[(b * T + t) * S + s];
        const Real* value = v.data() + (b * S + s) * d;
        for (Index i = 0; i < d; ++i) average[i] += weight * value[i];
      }
    }
  }
  return y;
}

AverageGradients attention_average_backward(const Tensor& weights, const Tensor& v, const Tensor& dy) {
  const Tensor d_weights = matmul(dy, v, {false, true});
  const Tensor dv = matmul(weights, dy, {true, false});
  return {d_weights, dv};
}

ScoreGradients attention_scores_backward(const Tensor& q, const Tensor& k, const Tensor& weights,
                                         const Tensor& d_weights) {
  const Real scale = 1 / std::sqrt(static_cast<Real>(q.dim(-1)));
  const Tensor mean = sum(weights * d_weights, {-1}, Axis::kept);  // [B, T, 1]
  const Tensor d_scores = scale * weights * (d_weights - mean);
  const Tensor dq = matmul(d_scores, k);
  const Tensor dk = matmul(d_scores, q, {true, false});
  return {dq, dk};
}

}  // namespace gradual
