#include <gradual/nn/attention/masks.hpp>

#include <algorithm>
#include <limits>

#include <gradual/core/error.hpp>

namespace gradual {
namespace {

// The scores, but -∞ for the pairs of query and key that the mask hides by their places, whatever was there:
// a sum would keep what is no number. A softmax gives such a score no slope.
Var hide_places(const Var& scores, const AttentionMask& mask) {
  const Index queries = scores.dim(1), keys = scores.dim(2);
  Tensor shown = scores.value();
  Real* row = shown.unguarded_data();
  for (Index r = 0; r < scores.dim(0) * queries; ++r, row += keys) {
    const KeyRange range = visible_places(mask, r % queries, queries, keys);
    const Index first = std::min(range.first, range.last);
    std::fill(row, row + first, -std::numeric_limits<Real>::infinity());
    std::fill(row + std::max(range.last, first), row + keys, -std::numeric_limits<Real>::infinity());
  }
  return record("hide_places", shown, {{scores, [](const Tensor& dy) { return dy; }}});
}

}  // namespace

Var masked_softmax(const Var& scores, const AttentionMask& mask) {
  if (scores.rank() != 3)
    throw std::invalid_argument(text("masked_softmax: scores must be [B, T, S]: they are ", scores.shape()));
  const Index queries = scores.dim(1), keys = scores.dim(2);
  check_attention_mask(mask, {scores.dim(0), 1, queries, keys, 0, 0});
  const bool by_place = mask.causal || mask.window > 0;
  const Var shown = by_place ? hide_places(scores, mask) : scores;
  return mask.valid_lengths.size() > 0 ? masked_softmax(shown, mask.valid_lengths) : softmax(shown);
}

}  // namespace gradual
