#include <gradual/nn/graph/graph_attention.hpp>

#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/layers/initialization.hpp>

namespace gradual {
namespace {

constexpr Real leaky_slope = Real(0.2);

}  // namespace

GraphAttention::GraphAttention(Index in, Index head_width, Index heads, HeadJoin join, double dropout,
                               Random random, std::string name)
    : projection(in, heads * head_width, random, Linear::Bias::no),
      source_scores(Var::parameter(glorot_uniform(heads, head_width, random))),
      target_scores(Var::parameter(glorot_uniform(heads, head_width, random))),
      bias(Var::parameter(Tensor::zeros({join == HeadJoin::concat ? heads * head_width : head_width}))),
      head_width_(head_width),
      heads_(heads),
      join_(join),
      dropout_(dropout, random),
      name_(std::move(name)) {}

void GraphAttention::visit(Visitor& visitor) {
  visitor("projection", projection);
  visitor("source_scores", source_scores);
  visitor("target_scores", target_scores);
  visitor("bias", bias);
  visitor("dropout", dropout_);
}

void GraphAttention::record_weights(const Tensor& weights, const EdgeList& edges) const {
  AttentionRecorder* recorder = AttentionRecorder::current();
  if (!recorder) return;
  const Index nodes = edges.nodes();
  Tensor dense = Tensor::zeros({1, heads_, nodes, nodes});
  Real* to = dense.mutable_data();
  for (Index k = 0; k < edges.size(); ++k) {
    for (Index h = 0; h < heads_; ++h)
      to[(h * nodes + edges.targets()[k]) * nodes + edges.sources()[k]] += weights.data()[k * heads_ + h];
  }
  recorder->add(name_, std::move(dense));
}

Var GraphAttention::operator()(const Var& x, const EdgeList& edges) const {
  if (x.rank() != 2 || x.dim(0) != edges.nodes())
    throw std::invalid_argument(text("graph attention: x must have a row for each node, [N, in]: N is ",
                                     edges.nodes(), ", x is ", x.shape()));
  const Index nodes = x.dim(0);
  const Var features = projection(x);                                   // [N, H·F]
  const Var by_head = reshape(features, {nodes, heads_, head_width_});  // [N, H, F]
  // aᵀ·(W·x) of each node once, not of each edge.
  const Var as_source = sum(by_head * source_scores, {2}), as_target = sum(by_head * target_scores, {2});
  const Var scores = leaky_relu(embedding(edges.sources(), as_source) + embedding(edges.targets(), as_target),
                                leaky_slope);  // [E, H]
  const Var weights = edge_softmax(scores, edges);
  record_weights(weights.value(), edges);
  const Var sums = sum_along_edges(dropout_(weights), features, edges);  // [N, H·F]
  if (join_ == HeadJoin::concat) return sums + bias;
  return mean(reshape(sums, {nodes, heads_, head_width_}), {1}) + bias;
}

}  // namespace gradual
