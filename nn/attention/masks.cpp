#include <gradual/nn/attention/masks.hpp>

#include <algorithm>
#include <limits>

#include <gradual/core/error.hpp>

namespace gradual {
namespace {

// Calls each(row, range) for the scores of each query and the keys that it sees by its place.
template <class Each>
void for_each_query(Tensor& scores, const AttentionMask& mask, Each each) {
  const Index axes = scores.rank(), queries = scores.dim(axes - 2), keys = scores.dim(axes - 1);
  Real* row = scores.unguarded_data();
  for (Index r = 0; r * keys < scores.size(); ++r, row += keys) {
    KeyRange seen = visible_places(mask, r % queries, queries, keys);
    if (seen.first >= seen.last) seen = {0, 0};
    each(row, seen);
  }
}

// Makes the scores of hidden keys 0.
Tensor only_seen(Tensor scores, const AttentionMask& mask) {
  const Index keys = scores.dim(2);
  for_each_query(scores, mask, [&](Real* row, KeyRange range) {
    std::fill(row, row + range.first, Real(0));
    std::fill(row + range.last, row + keys, Real(0));
  });
  return scores;
}

// The scores, with -∞ added to the pairs of query and key that the mask hides by their places. These are 0
// before, whatever they were, as a sum would keep what is no number.
Var hide_places(const Var& scores, const AttentionMask& mask) {
  const Index keys = scores.dim(2);
  Tensor hidden = Tensor::full({scores.dim(1), keys}, -std::numeric_limits<Real>::infinity());
  for_each_query(hidden, mask,
                 [](Real* row, KeyRange range) { std::fill(row + range.first, row + range.last, Real(0)); });
  const auto rule = [mask](const Tensor& dy) { return only_seen(dy, mask); };
  return record("seen_scores", only_seen(scores.value(), mask), {{scores, rule}}) + Var(hidden);
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
