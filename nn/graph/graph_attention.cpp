#include <gradual/nn/graph/graph_attention.hpp>

#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/layers/initialization.hpp>

namespace gradual {
namespace {

constexpr Real leaky_slope = Real(0.2);

// a [H, F] as the weight [H, H·F] of one product for all heads, zero but for each head's own columns.
Var side_by_side(const Var& a) {
  const Index heads = a.dim(0), width = a.dim(1);
  Tensor own = Tensor::zeros({heads, heads, 1});
  for (Index h = 0; h < heads; ++h) own.unguarded_data()[h * heads + h] = 1;
  return reshape(reshape(a, {heads, 1, width}) * own, {heads, heads * width});
}

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
  Real* to = dense.unguarded_data();
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
  return attend(projection(x), edges);
}

Var GraphAttention::attend(const Var& features, const EdgeList& edges) const {
  const Index nodes = edges.nodes();
  if (features.rank() != 2 || features.dim(0) != nodes || features.dim(1) != heads_ * head_width_)
    throw std::invalid_argument(text("graph attention: projected features must be [N, heads·head width], ",
                                     Shape{nodes, heads_ * head_width_}, ": got ", features.shape()));
  // aᵀ·(W·x) of each node once, not of each edge: [N, H].
  const Var as_source = linear(features, side_by_side(source_scores)),
            as_target = linear(features, side_by_side(target_scores));
  const Var scores = leaky_relu(embedding(edges.sources(), as_source) + embedding(edges.targets(), as_target),
                                leaky_slope);  // [E, H]
  const Var weights = edge_softmax(scores, edges);
  record_weights(weights.value(), edges);
  const Var sums = sum_along_edges(dropout_(weights), features, edges);  // [N, H·F]
  if (join_ == HeadJoin::concat) return sums + bias;
  return mean(reshape(sums, {nodes, heads_, head_width_}), {1}) + bias;
}

}  // namespace gradual
