// The weights times the values by hand, and the recorder first.
#include <gradual/nn/attention/multi_head_naive.hpp>

namespace gradual {

Var attend_head_by_head(const std::vector<HeadInputs>& heads, const AttentionMask& mask,
                        const std::string& name, AttentionTo to) {
  std::vector<Var> weights;
  for (const HeadInputs& head : heads)
    weights.push_back(
        head.attention.weights(head.queries, head.attention.prepare(head.keys), mask, head.bias));
  if (AttentionRecorder* recorder = AttentionRecorder::current())
    recorder->add(name, stack(weights, 1).value(), to);
  std::vector<Var> averages;
  for (std::size_t h = 0; h < heads.size(); ++h) averages.push_back(batch_dot(weights[h], heads[h].values));
  return concat(averages, 2);
}

}  // namespace gradual
