// As the library does it: one product for each head of each sentence, read by its stride.
#include <algorithm>
#include <cmath>

#include <gradual/core/products/products.hpp>

#include "04-heads/heads.hpp"

namespace gradual {

Tensor fused_attention(const Tensor& q, const Tensor& k, const Tensor& v, Index heads,
                       const AttentionMask& mask, Tensor& weights) {
  const Index B = q.dim(0), T = q.dim(1), S = k.dim(1), D = q.dim(2), d = D / heads;
  weights = Tensor({B, heads, T, S});
  Tensor y({B, T, D});
  Real* scores = weights.mutable_data();
  for (Index b = 0; b < B; ++b) {
    for (Index h = 0; h < heads; ++h, scores += T * S) {
      gemm(T, S, d, 1 / std::sqrt(static_cast<Real>(d)), {q.data() + b * T * D + h * d, D},
           {k.data() + b * S * D + h * d, D, true}, 0, scores, S);
      for (Index t = 0; t < T; ++t) {
        const KeyRange range = visible_places(mask, t, T, S);
        const Index last =
            mask.valid_lengths.size() ? std::min<Index>(range.last, mask.valid_lengths[b]) : range.last;
        Real* row = scores + t * S;
        std::fill(row, row + range.first, Real(0));
        std::fill(row + std::max(last, range.first), row + S, Real(0));
        if (last <= range.first) continue;
        const Real top = *std::max_element(row + range.first, row + last);
        Real total = 0;
        for (Index s = range.first; s < last; ++s) total += row[s] = std::exp(row[s] - top);
        for (Index s = range.first; s < last; ++s) row[s] /= total;
      }
      gemm(T, d, S, 1, {scores, S}, {v.data() + b * S * D + h * d, D}, 0,
           y.mutable_data() + b * T * D + h * d, D);
    }
  }
  return y;
}

}  // namespace gradual
