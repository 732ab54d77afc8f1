// Attention over the neighbours of a node in a graph.
#pragma once

#include <string>

#include <gradual/nn/layers/layers.hpp>

namespace gradual {

/// How the heads' results become one vector: side by side in the inner layers, averaged in the last.
enum class HeadJoin { concat, mean };

/// A layer of a graph attention network (Veličković et al. 2018, eqs. 1 to 6). For each head, with h = W·x
/// and the edges j → i into node i:
///   e_ij = leaky_relu(a_targetᵀ·h_i + a_sourceᵀ·h_j),  α_i = softmax_j(e_ij),  out_i = Σ_j α_ij·h_j + bias.
class GraphAttention {
 public:
  /// `dropout` applies to the weights α. Throws std::invalid_argument unless it lies in [0, 1).
  GraphAttention(Index in, Index head_width, Index heads, HeadJoin join, double dropout, Random random,
                 std::string name = "graph_attention");
  void visit(Visitor& visitor);

  /// Features x [N, in] of the nodes to [N, heads·head_width], or [N, head_width] for the mean. A node
  /// without edges into it gets the bias alone; give each an edge to itself where it should see itself. The
  /// weights that a recorder gets are [1, heads, N, N], zero where there is no edge.
  Var operator()(const Var& x, const EdgeList& edges) const;
  /// The same from h = W·x, [N, heads·head_width], for features that are projected in another way, such as
  /// SparseRows.
  Var attend(const Var& projected, const EdgeList& edges) const;

  Linear projection;                 // W [heads·head_width, in]
  Var source_scores, target_scores;  // a_source and a_target [heads, head_width]
  Var bias;                          // of the output's width

 private:
  void record_weights(const Tensor& weights, const EdgeList& edges) const;

  Index head_width_, heads_;
  HeadJoin join_;
  Dropout dropout_;
  std::string name_;
};

}  // namespace gradual
