#include <gradual/nn/attention/masks.hpp>

#include <limits>
#include <vector>

#include <gradual/core/error.hpp>

namespace gradual {
namespace {

// 0 for the pairs of query and key that the mask allows by their places and -∞ for the others, [T, S].
Tensor allowed_places(const AttentionMask& mask, Index queries, Index keys) {
  Tensor allowed({queries, keys});
  Real* to = allowed.unguarded_data();
  for (Index t = 0; t < queries; ++t) {
    const KeyRange range = visible_places(mask, t, queries, keys);
    for (Index s = 0; s < keys; ++s)
      *to++ = s >= range.first && s < range.last ? Real(0) : -std::numeric_limits<Real>::infinity();
  }
  return allowed;
}

}  // namespace

Var masked_softmax(const Var& scores, const AttentionMask& mask) {
  if (scores.rank() != 3)
    throw std::invalid_argument(text("masked_softmax: scores must be [B, T, S]: they are ", scores.shape()));
  const Index queries = scores.dim(1), keys = scores.dim(2);
  check_attention_mask(mask, {scores.dim(0), 1, queries, keys, 0, 0});
  const bool by_place = mask.causal || mask.window > 0;
  const Var allowed = by_place ? scores + Var(allowed_places(mask, queries, keys)) : scores;
  return mask.valid_lengths.size() > 0 ? masked_softmax(allowed, mask.valid_lengths) : softmax(allowed);
}

}  // namespace gradual
