// Value by loops, and its rule given by hand.
#include <cmath>

#include <gradual/nn/attention/masks.hpp>

namespace gradual {

Var masked_softmax(const Var& scores, const AttentionMask& mask) {
  const Index B = scores.dim(0), T = scores.dim(1), S = scores.dim(2);
  Tensor y = Tensor::zeros(scores.shape());
  for (Index r = 0; r < B * T; ++r) {
    const KeyRange range = visible_places(mask, r % T, T, S);
    Index last = range.last;
    const Indices& valid = mask.valid_lengths;
    if (valid.size() > 0) last = std::min<Index>(last, valid[valid.shape().rank() == 2 ? r : r / T]);
    const Real* from = scores.value().data() + r * S;
    Real* to = y.mutable_data() + r * S;
    Real top = 0, total = 0;
    for (Index s = range.first; s < last; ++s) top = s == range.first ? from[s] : std::max(top, from[s]);
    for (Index s = range.first; s < last; ++s) total += to[s] = std::exp(from[s] - top);
    for (Index s = range.first; s < last; ++s) to[s] /= total;
  }
  return record("masked_softmax", y, {{scores, [y](const Tensor& dy) {
                                         const Tensor flow = y * dy;
                                         return flow - y * sum(flow, {-1}, Axis::kept);
                                       }}});
}

}  // namespace gradual
