// A table for the places, a table for the lengths, and -∞ where either hides.
#include <limits>

#include <gradual/nn/attention/masks.hpp>

namespace gradual {

Var masked_softmax(const Var& scores, const AttentionMask& mask) {
  const Index B = scores.dim(0), T = scores.dim(1), S = scores.dim(2);
  Tensor by_place = Tensor::zeros({T, S}), by_length = Tensor::ones({B, T, S});
  for (Index t = 0; t < T; ++t) {
    const KeyRange range = visible_places(mask, t, T, S);
    for (Index s = 0; s < S; ++s) by_place.mutable_data()[t * S + s] = range.first <= s && s < range.last;
  }
  const Index count = mask.valid_lengths.size();
  for (Index i = 0; i < by_length.size() && count > 0; ++i)
    by_length.mutable_data()[i] = i % S < mask.valid_lengths[i / S * count / (B * T)] ? 1 : 0;
  return softmax(
      where(by_place * by_length, scores, Var(Tensor::scalar(-std::numeric_limits<Real>::infinity()))));
}

}  // namespace gradual
