// The plain version: 0 and -∞ added to the scores.
#include <algorithm>
#include <limits>

#include <gradual/nn/attention/masks.hpp>

namespace gradual {

Var masked_softmax(const Var& scores, const AttentionMask& mask) {
  const Index B = scores.dim(0), T = scores.dim(1), S = scores.dim(2);
  const Indices& lengths = mask.valid_lengths;
  const Real hidden = -std::numeric_limits<Real>::infinity();
  Tensor added({B, T, S});  // 0 for the pairs that the mask allows, -∞ for the others
  Real* to = added.mutable_data();
  for (Index b = 0; b < B; ++b) {
    for (Index t = 0; t < T; ++t) {
      const KeyRange range = visible_places(mask, t, T, S);
      Index valid = S;
      if (lengths.shape().rank() == 1 && lengths.size() > 0) valid = lengths[b];
      if (lengths.shape().rank() == 2) valid = lengths[b * T + t];
      for (Index s = 0; s < S; ++s) {
        const bool is_seen = s >= range.first && s < std::min(range.last, valid);
        *to++ = is_seen ? 0 : hidden;
      }
    }
  }
  return softmax(scores + Var(added));
}

}  // namespace gradual
