// The softmax written out with operations on variables: exponentials times a mask of 1 and 0.
#include <gradual/nn/attention/masks.hpp>

namespace gradual {

Var masked_softmax(const Var& scores, const AttentionMask& mask) {
  const Index B = scores.dim(0), T = scores.dim(1), S = scores.dim(2);
  Tensor visible = Tensor::zeros(scores.shape());
  for (Index b = 0; b < B; ++b)
    for (Index t = 0; t < T; ++t) {
      const KeyRange range = visible_places(mask, t, T, S);
      for (Index s = std::max<Index>(range.first, 0); s < range.last; ++s) {
        const Indices& l = mask.valid_lengths;
        const bool padding = l.size() > 0 && s >= (l.size() == B ? l[b] : l[b * T + t]);
        visible.mutable_data()[(b * T + t) * S + s] = padding ? 0 : 1;
      }
    }
  const Tensor top = max(scores.value(), {-1}, Axis::kept);
  const Var e = exp(scores - Var(top)) * Var(visible);
  const Var total = sum(e, {-1}, Axis::kept);
  const Tensor none = is_equal(total.value(), Tensor::scalar(0));
  return e / (total + Var(none));
}

}  // namespace gradual
