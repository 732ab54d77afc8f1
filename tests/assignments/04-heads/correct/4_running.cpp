// In one pass over the keys: a running maximum, by which what was added up so far is scaled down when it
// rises.
#include <cmath>
#include <limits>
#include <vector>

#include "04-heads/heads.hpp"

namespace gradual {

Tensor fused_attention(const Tensor& q, const Tensor& k, const Tensor& v, Index heads,
                       const AttentionMask& mask, Tensor& weights) {
  const Index B = q.dim(0), T = q.dim(1), S = k.dim(1), D = q.dim(2), d = D / heads;
  weights = Tensor::zeros({B, heads, T, S});
  Tensor y = Tensor::zeros(q.shape());
  for (Index n = 0; n < B * heads * T; ++n) {
    const Index t = n % T, h = n / T % heads, b = n / T / heads;
    KeyRange range = visible_places(mask, t, T, S);
    if (mask.valid_lengths.size() != 0) range.last = std::min(range.last, Index(mask.valid_lengths[b]));
    const Real* query = q.data() + (b * T + t) * D + h * d;
    std::vector<double> sums(static_cast<std::size_t>(d), 0), scores;
    double top = -std::numeric_limits<double>::infinity(), total = 0;
    for (Index s = range.first; s < range.last; ++s) {
      const Real *key = k.data() + (b * S + s) * D + h * d, *value = v.data() + (b * S + s) * D + h * d;
      double score = 0;
      for (Index i = 0; i < d; ++i) score += double(query[i]) * double(key[i]);
      scores.push_back(score /= std::sqrt(double(d)));
      const double higher = std::fmax(top, score), shrink = std::exp(top - higher),
                   e = std::exp(score - higher);
      total = total * shrink + e;
      for (Index i = 0; i < d; ++i) {
        double& sum = sums[static_cast<std::size_t>(i)];
        sum = sum * shrink + e * double(value[i]);
      }
      top = higher;
    }
    if (scores.empty()) continue;
    for (std::size_t j = 0; j < scores.size(); ++j)
      weights.mutable_data()[n * S + range.first + Index(j)] = Real(std::exp(scores[j] - top) / total);
    for (Index i = 0; i < d; ++i)
      y.mutable_data()[(b * T + t) * D + h * d + i] = Real(sums[static_cast<std::size_t>(i)] / total);
  }
  return y;
}

}  // namespace gradual
