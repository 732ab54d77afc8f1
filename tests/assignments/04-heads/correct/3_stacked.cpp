// Stacked on an axis of their own, which is then laid beside the numbers.
#include <gradual/nn/attention/multi_head_naive.hpp>

namespace gradual {

Var attend_head_by_head(const std::vector<HeadInputs>& heads, const AttentionMask& mask,
                        const std::string& name, AttentionTo to) {
  std::vector<Var> averages;
  std::vector<Tensor> weights;
  for (const auto& [attention, queries, keys, values, bias] : heads) {
    const Var w = attention.weights(queries, attention.prepare(keys), mask, bias);
    weights.push_back(w.value());
    averages.push_back(attention.average(w, values));
  }
  if (AttentionRecorder* recorder = AttentionRecorder::current()) recorder->add(name, stack(weights, 1), to);
  const Var beside = stack(averages, 2);  // [B, T, H, d]
  return reshape(beside, {beside.dim(0), beside.dim(1), -1});
}

}  // namespace gradual
