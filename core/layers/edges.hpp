// Attention along the edges between nodes: softmax over the edges into each node, and weighted sums along
// them. The cost grows with the number of edges, not with the square of the number of nodes. The plain
// versions are in core/reference/layers.hpp.
#pragma once

#include <memory>
#include <vector>

#include <gradual/core/indices.hpp>
#include <gradual/core/tensor.hpp>

namespace gradual {

/// A range of edges, first … last - 1.
struct EdgeRange {
  Index first, last;  // the first of them, and one past the last
};

/// Directed edges between N nodes, kept in the order of their targets. Immutable; copies share them.
class EdgeList {
 public:
  /// Edges from sources[k] to targets[k], both [E]. Throws std::invalid_argument when their numbers differ or
  /// one names a node outside 0 … N - 1.
  EdgeList(Index nodes, const Indices& sources, const Indices& targets);

  /// How many nodes there are.
  Index nodes() const { return static_cast<Index>(data_->incoming.size()) - 1; }
  /// How many edges there are.
  Index size() const { return data_->sources.size(); }
  /// [E], by target, edges of one target in the order in which they were given.
  const Indices& sources() const& { return data_->sources; }
  /// The node that each edge leads to.
  const Indices& targets() const& { return data_->targets; }
  Indices sources() const&& { return data_->sources; }
  Indices targets() const&& { return data_->targets; }
  /// The edges into a node; these three throw std::invalid_argument for a node or place that there is not.
  EdgeRange into(Index node) const { return range(data_->incoming, node); }
  /// The edges out of a node are by_source(n) for the n of this range.
  EdgeRange out_of(Index node) const { return range(data_->outgoing, node); }
  /// The place, in the order of targets, of edge n in the order of sources.
  Index by_source(Index n) const { return data_->by_source[checked(n, data_->by_source.size())]; }

 private:
  struct Data {
    Indices sources, targets;
    std::vector<Index> incoming, outgoing;  // [N + 1]: where the range of each node starts
    std::vector<Index> by_source;           // [E]
  };
  static std::size_t checked(Index number, std::size_t count) {
    if (number < 0 || static_cast<std::size_t>(number) >= count) throw_outside(number, count);
    return static_cast<std::size_t>(number);
  }
  static EdgeRange range(const std::vector<Index>& starts, Index node) {
    const std::size_t i = checked(node, starts.size() - 1);
    return {starts[i], starts[i + 1]};
  }
  [[noreturn]] static void throw_outside(Index number, std::size_t count);
  std::shared_ptr<const Data> data_;
};

/// Undirected edges with the nodes themselves among their neighbours: each pair both ways,
/// once, and each node to itself.
EdgeList neighbourhoods(Index nodes, const Indices& sources, const Indices& targets);

/// y[k, h] = e^x[k, h] / Σ e^x[j, h] over the edges j that have edge k's target: x [E, H] to [E, H]. Throws
/// std::invalid_argument unless x has a row for each edge.
Tensor edge_softmax(const Tensor& x, const EdgeList& edges);
/// dx = y ⊙ (dy - Σ_j y_j·dy_j), the sum over the edges with the same target.
Tensor edge_softmax_backward(const Tensor& y, const Tensor& dy, const EdgeList& edges);

/// y[i, h] = Σ weights[k, h]·x[source of k, h] over the edges k into node i: weights [E, H] and x [N, H·F]
/// give [N, H·F]. Throws std::invalid_argument when the shapes do not fit.
Tensor sum_along_edges(const Tensor& weights, const Tensor& x, const EdgeList& edges);
/// dw[k, h] = x[source of k, h]·dy[target of k, h]
Tensor sum_along_edges_d_weights(const Tensor& x, const Tensor& dy, Index heads, const EdgeList& edges);
/// dx[i, h] = Σ weights[k, h]·dy[target of k, h] over the edges k out of node i.
Tensor sum_along_edges_d_x(const Tensor& weights, const Tensor& dy, const EdgeList& edges);

}  // namespace gradual
