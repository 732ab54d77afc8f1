// With indices, the averages joined one by one.
#include <gradual/nn/attention/multi_head_naive.hpp>

namespace gradual {

Var attend_head_by_head(const std::vector<HeadInputs>& heads, const AttentionMask& mask,
                        const std::string& name, AttentionTo to) {
  Var all;
  Tensor recorded;
  for (std::size_t h = 0; h < heads.size(); ++h) {
    const HeadInputs& x = heads[h];
    const Var prepared = x.attention.prepare(x.keys);
    const Var weights = x.attention.weights(x.queries, prepared, mask, x.bias);
    const Var average = x.attention.average(weights, x.values);
    const Tensor w = weights.value().reshaped({x.queries.dim(0), 1, x.queries.dim(1), x.keys.dim(1)});
    all = h == 0 ? average : concat({all, average}, -1);
    recorded = h == 0 ? w : concat({recorded, w}, 1);
  }
  if (AttentionRecorder::current() != nullptr) AttentionRecorder::current()->add(name, recorded, to);
  return all;
}

}  // namespace gradual
