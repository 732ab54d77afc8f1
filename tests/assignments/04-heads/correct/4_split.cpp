// Each head copied into matrices of its own, attended to by whole tensors, and copied back.
#include <cmath>
#include <limits>
#include <vector>

#include <gradual/core/elements/arithmetic.hpp>
#include <gradual/core/elements/arrangement.hpp>
#include <gradual/core/elements/functions.hpp>
#include <gradual/core/elements/reductions.hpp>
#include <gradual/core/products/products.hpp>

#include "04-heads/heads.hpp"

namespace gradual {

Tensor fused_attention(const Tensor& q, const Tensor& k, const Tensor& v, Index heads,
                       const AttentionMask& mask, Tensor& weights) {
  const Index B = q.dim(0), T = q.dim(1), S = k.dim(1), d = q.dim(2) / heads;
  Tensor visible = Tensor::zeros({B, 1, T, S});
  Real* seen = visible.mutable_data();
  for (Index b = 0; b < B; ++b)
    for (Index t = 0; t < T; ++t)
      for (Index s = 0; s < S; ++s) {
        const KeyRange range = visible_places(mask, t, T, S);
        const bool is_there = mask.valid_lengths.size() == 0 || s < mask.valid_lengths[b];
        *seen++ = s >= range.first && s < range.last && is_there ? 1 : 0;
      }
  const auto split = [&](const Tensor& x) {
    return transpose(x.reshaped({B, x.dim(1), heads, d}), {0, 2, 1, 3});
  };
  const Tensor scores = matmul(split(q), split(k), {false, true}) / std::sqrt(static_cast<Real>(d));
  const Tensor lowest = Tensor::scalar(std::numeric_limits<Real>::lowest());
  const Tensor masked = where(visible, scores, lowest);
  const Tensor e = exp(masked - max(masked, {-1}, Axis::kept)) * visible;
  const Tensor total = sum(e, {-1}, Axis::kept);
  weights = e / where(total, total, Tensor::scalar(1));
  return transpose(matmul(weights, split(v)), {0, 2, 1, 3}).reshaped({B, T, -1});
}

}  // namespace gradual
