#include <gradual/nn/attention/multi_head_naive.hpp>

#include <utility>

#include <gradual/core/error.hpp>

namespace gradual {
namespace {

const HeadSizes& checked(const HeadSizes& sizes) {
  if (sizes.width <= 0 || sizes.heads <= 0 || sizes.key_width <= 0 || sizes.value_width <= 0)
    throw std::invalid_argument(text("multi-head attention: all sizes must be positive: width is ",
                                     sizes.width, ", heads ", sizes.heads, ", key_width ", sizes.key_width,
                                     ", value_width ", sizes.value_width));
  return sizes;
}

}  // namespace

Var attend_head_by_head(const std::vector<HeadInputs>& heads, const AttentionMask& mask,
                        const std::string& name, AttentionTo to) {
  std::vector<Var> averages;    // [B, T, d_v] of each head
  std::vector<Tensor> weights;  // [B, 1, T, S] of each head
  for (const HeadInputs& head : heads) {
    const Attention& attention = head.attention;
    const Var w = attention.weights(head.queries, attention.prepare(head.keys), mask, head.bias);
    averages.push_back(attention.average(w, head.values));
    weights.push_back(w.value().with_shape({w.dim(0), 1, w.dim(1), w.dim(2)}));
  }
  if (AttentionRecorder* recorder = AttentionRecorder::current()) recorder->add(name, concat(weights, 1), to);
  return concat(averages, 2);
}

void AttentionHead::visit(Visitor& visitor) {
  visitor("queries", queries);
  visitor("keys", keys);
  visitor("values", values);
  visitor("attention", attention);
}

MultiHeadNaive::MultiHeadNaive(const HeadSizes& sizes, const std::string& score, double dropout,
                               Random random, std::string name)
    : output(checked(sizes).heads * sizes.value_width, sizes.width, random), name_(std::move(name)) {
  for (Index i = 0; i < sizes.heads; ++i) {
    const ScoreSizes score_sizes{sizes.key_width, sizes.key_width};
    heads.push_back({Linear(sizes.width, sizes.key_width, random),
                     Linear(sizes.width, sizes.key_width, random),
                     Linear(sizes.width, sizes.value_width, random),
                     Attention(make_score(score, score_sizes, random), dropout, random)});
  }
}

void MultiHeadNaive::visit(Visitor& visitor) {
  visitor("heads", heads);
  visitor("output", output);
}

Var MultiHeadNaive::operator()(const Var& x, const Var& memory, const AttentionMask& mask) const {
  std::vector<HeadInputs> inputs;
  for (const AttentionHead& head : heads)
    inputs.push_back({head.attention, head.queries(x), head.keys(memory), head.values(memory), {}});
  return output(attend_head_by_head(inputs, mask, name_,
                                    x.is_same_as(memory) ? AttentionTo::itself : AttentionTo::source));
}

}  // namespace gradual
