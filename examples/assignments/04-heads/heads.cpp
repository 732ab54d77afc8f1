#include "04-heads/heads.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gradual/core/elements/arithmetic.hpp>
#include <gradual/core/elements/arrangement.hpp>
#include <gradual/core/elements/reductions.hpp>

namespace gradual {

Tensor split_heads(const Tensor& x, Index heads) {
  const Tensor apart = x.reshaped({x.dim(0), x.dim(1), heads, -1});  // [B, N, H, d]
  return transpose(apart, {0, 2, 1, 3});
}

Tensor merge_heads(const Tensor& x) {
  const Tensor beside = transpose(x, {0, 2, 1, 3});  // [B, N, H, d]
  return beside.reshaped({x.dim(0), x.dim(2), -1});
}

Tensor fused_attention(const Tensor& q, const Tensor& k, const Tensor& v, Index heads,
                       const AttentionMask& mask, Tensor& weights) {
  const Index B = q.dim(0), T = q.dim(1), S = k.dim(1), D = q.dim(2), d = D / heads;
  const Real scale = 1 / std::sqrt(static_cast<Real>(d));
  weights = Tensor::zeros({B, heads, T, S});
  Tensor y = Tensor::zeros({B, T, D});
  Real *row = weights.mutable_data(), *averages = y.mutable_data();
  for (Index b = 0; b < B; ++b) {
    for (Index h = 0; h < heads; ++h) {
      for (Index t = 0; t < T; ++t, row += S) {
        KeyRange seen = visible_places(mask, t, T, S);
        if (mask.valid_lengths.size() > 0) seen.last = std::min<Index>(seen.last, mask.valid_lengths[b]);
        const Index query = (b * T + t) * D + h * d;
        Real top = -std::numeric_limits<Real>::infinity(), total = 0;
        for (Index s = seen.first; s < seen.last; ++s) {
          const Index key = (b * S + s) * D + h * d;
          for (Index i = 0; i < d; ++i) row[s] += scale * q.data()[query + i] * k.data()[key + i];
          top = std::max(top, row[s]);
        }
        for (Index s = seen.first; s < seen.last; ++s) total += row[s] = std::exp(row[s] - top);
        for (Index s = seen.first; s < seen.last; ++s) {
          const Index value = (b * S + s) * D + h * d;
          row[s] /= total;
          for (Index i = 0; i < d; ++i) averages[query + i] += row[s] * v.data()[value + i];
        }
      }
    }
  }
  return y;
}

FusedGradients fused_attention_backward(const Tensor& q, const Tensor& k, const Tensor& v, Index heads,
                                        const Tensor& weights, const Tensor& dy) {
  const Index B = q.dim(0), T = q.dim(1), S = k.dim(1), D = q.dim(2), d = D / heads;
  const Real scale = 1 / std::sqrt(static_cast<Real>(d));
  FusedGradients gradients{Tensor::zeros(q.shape()), Tensor::zeros(k.shape()), Tensor::zeros(v.shape())};
  Real *dq = gradients.q.mutable_data(), *dk = gradients.k.mutable_data(), *dv = gradients.v.mutable_data();
  const Real* row = weights.data();
  for (Index b = 0; b < B; ++b) {
    for (Index h = 0; h < heads; ++h) {
      for (Index t = 0; t < T; ++t, row += S) {
        const Index query = (b * T + t) * D + h * d;
        std::vector<Real> slopes(static_cast<std::size_t>(S), Real(0));  // by the weights of this query
        Real mean = 0;
        for (Index s = 0; s < S; ++s) {
          const Index key = (b * S + s) * D + h * d;
          Real& slope = slopes[static_cast<std::size_t>(s)];
          for (Index i = 0; i < d; ++i) {
            slope += dy.data()[query + i] * v.data()[key + i];
            dv[key + i] += row[s] * dy.data()[query + i];
          }
          mean += row[s] * slope;
        }
        for (Index s = 0; s < S; ++s) {
          const Index key = (b * S + s) * D + h * d;
          const Real slope = scale * row[s] * (slopes[static_cast<std::size_t>(s)] - mean);
          for (Index i = 0; i < d; ++i) {
            dq[query + i] += slope * k.data()[key + i];
            dk[key + i] += slope * q.data()[query + i];
          }
        }
      }
    }
  }
  return gradients;
}

}  // namespace gradual
