#include <gradual/core/layers/edges.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include <gradual/core/checks.hpp>
#include <gradual/core/rows/passes.hpp>
#include <gradual/core/threads.hpp>

namespace gradual {
namespace {

// Where the run of each node starts among E sorted node numbers, and the end: [N + 1].
std::vector<Index> run_starts(Index nodes, const Indices& ids) {
  std::vector<Index> starts(static_cast<std::size_t>(nodes) + 1, 0);
  for (std::int32_t id : ids) ++starts[static_cast<std::size_t>(id) + 1];
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  return starts;
}

// The numbers of the edges sorted by the node that `ids` gives them, in their order where it is the same.
std::vector<Index> sorted_by(const Indices& ids) {
  std::vector<Index> order(static_cast<std::size_t>(ids.size()));
  std::iota(order.begin(), order.end(), Index(0));
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return ids[a] < ids[b]; });
  return order;
}

Indices reordered(const Indices& ids, const std::vector<Index>& order) {
  std::vector<std::int32_t> result;
  for (Index k : order) result.push_back(ids[k]);
  return {Shape{ids.size()}, std::move(result)};
}

void check_rows(const char* operation, const Tensor& x, const EdgeList& edges) {
  if (x.rank() != 2 || x.dim(0) != edges.size())
    throw std::invalid_argument(text(operation, ": there must be a row for each edge, [E, H]: E is ",
                                     edges.size(), ", got ", x.shape()));
}

void check_nodes(const char* operation, const char* name, const Tensor& x, Index heads,
                 const EdgeList& edges) {
  if (x.rank() != 2 || x.dim(0) != edges.nodes() || heads < 1 || x.dim(1) % heads != 0)
    throw std::invalid_argument(text(operation, ": ", name, " must be [N, H·F]: N is ", edges.nodes(),
                                     ", H is ", heads, ", ", name, " is ", x.shape()));
}

// Calls body(node) for each of them, with the work, which grows with the edges, shared out.
template <class Body>
void for_each_node(const EdgeList& edges, Index numbers_of_edge, Body body) {
  const Index degree = edges.size() / std::max<Index>(edges.nodes(), 1) + 1;
  parallel_each_row(edges.nodes(), degree * numbers_of_edge, body);
}

// y[i, h] = Σ weights[k, h]·x[j, h] over the edges k, between i and j, that for_edges_of(i, add) adds.
template <class ForEdges>
Tensor weighted_sums(const char* name, const Tensor& weights, const Tensor& x, const EdgeList& edges,
                     ForEdges for_edges_of) {
  check_rows("sum_along_edges", weights, edges);
  const Index heads = weights.dim(1);
  check_nodes("sum_along_edges", name, x, heads, edges);
  const Index row = x.dim(1), width = row / heads;
  Tensor y = Tensor::zeros(x.shape());
  Real* const sums = y.unguarded_data();
  for_each_node(edges, row, [&, w = weights.data(), all = x.data()](Index i) {
    for_edges_of(i, [=](Index k, Index j) {
      const Real* from = all + j * row;
      Real* to = sums + i * row;
      for (Index h = 0; h < heads; ++h) {
        const Real weight = w[k * heads + h];
#pragma omp simd
        for (Index f = h * width; f < (h + 1) * width; ++f) to[f] += weight * from[f];
      }
    });
  });
  return y;
}

}  // namespace

EdgeList::EdgeList(Index nodes, const Indices& sources, const Indices& targets) {
  if (sources.shape() != targets.shape() || sources.shape().rank() != 1)
    throw std::invalid_argument(text("edges: sources and targets must both be [E]: sources are ",
                                     sources.shape(), ", targets are ", targets.shape()));
  if (nodes < 0 || nodes > std::numeric_limits<std::int32_t>::max())
    throw std::invalid_argument(text("edges: the number of nodes must fit 31 bits: got ", nodes));
  for (Index k = 0; k < sources.size(); ++k) {
    if (std::min(sources[k], targets[k]) < 0 || std::max(sources[k], targets[k]) >= nodes)
      throw std::invalid_argument(text("edges: nodes must lie in 0 … ", nodes - 1, ": edge ", k,
                                       " goes from ", sources[k], " to ", targets[k]));
  }
  const std::vector<Index> order = sorted_by(targets);
  Data data{reordered(sources, order), reordered(targets, order), {}, {}, {}};
  data.incoming = run_starts(nodes, data.targets);
  data.outgoing = run_starts(nodes, data.sources);
  data.by_source = sorted_by(data.sources);
  data_ = std::make_shared<const Data>(std::move(data));
}

void EdgeList::throw_outside(Index number, std::size_t count) {
  throw std::invalid_argument(text("edges: there must be such a node, or edge: got ", number, " of ", count));
}

EdgeList neighbourhoods(Index nodes, const Indices& sources, const Indices& targets) {
  const EdgeList checked(nodes, sources, targets);
  std::set<std::pair<std::int32_t, std::int32_t>> pairs;
  for (Index k = 0; k < checked.size(); ++k) {
    pairs.insert({checked.sources()[k], checked.targets()[k]});
    pairs.insert({checked.targets()[k], checked.sources()[k]});
  }
  for (std::int32_t i = 0; i < nodes; ++i) pairs.insert({i, i});
  std::vector<std::int32_t> from, to;
  for (const auto& [source, target] : pairs) {
    from.push_back(source);
    to.push_back(target);
  }
  const Shape shape{static_cast<Index>(pairs.size())};
  return {nodes, Indices(shape, std::move(from)), Indices(shape, std::move(to))};
}

Tensor edge_softmax(const Tensor& x, const EdgeList& edges) {
  check_rows("edge_softmax", x, edges);
  const Index heads = x.dim(1);
  Tensor y(x.shape());
  Real* to = y.unguarded_data();
  for_each_node(edges, 8 * heads, [&, from = x.data()](Index i) {
    const Index first = edges.into(i).first * heads, last = edges.into(i).last * heads;
    for (Index h = 0; h < heads; ++h) {
      Real top = minus_infinity, total = 0;
      for (Index k = first + h; k < last; k += heads) top = std::max(top, from[k]);
      if (top == minus_infinity) top = 0;  // all exponentials are 0, and so are the weights
      for (Index k = first + h; k < last; k += heads) total += to[k] = vector_exp_of_negative(from[k] - top);
      const Real scale = total == 0 ? Real(0) : 1 / total;
      for (Index k = first + h; k < last; k += heads) to[k] *= scale;
    }
  });
  return y;
}

Tensor edge_softmax_backward(const Tensor& y, const Tensor& dy, const EdgeList& edges) {
  check_rows("edge_softmax_backward", y, edges);
  check_shape("edge_softmax_backward", "dy", dy, y.shape());
  const Index heads = y.dim(1);
  Tensor dx(y.shape());
  Real* to = dx.unguarded_data();
  for_each_node(edges, 2 * heads, [&, weights = y.data(), upstream = dy.data()](Index i) {
    const Index first = edges.into(i).first * heads, last = edges.into(i).last * heads;
    for (Index h = 0; h < heads; ++h) {
      Real dot = 0;
      for (Index k = first + h; k < last; k += heads) dot += weights[k] * upstream[k];
      for (Index k = first + h; k < last; k += heads) to[k] = weights[k] * (upstream[k] - dot);
    }
  });
  return dx;
}

Tensor sum_along_edges(const Tensor& weights, const Tensor& x, const EdgeList& edges) {
  return weighted_sums("x", weights, x, edges, [&](Index i, auto add) {
    for (Index k = edges.into(i).first; k < edges.into(i).last; ++k) add(k, edges.sources()[k]);
  });
}

Tensor sum_along_edges_d_weights(const Tensor& x, const Tensor& dy, Index heads, const EdgeList& edges) {
  check_nodes("sum_along_edges", "x", x, heads, edges);
  check_shape("sum_along_edges", "dy", dy, x.shape());
  const Index row = x.dim(1), width = row / heads;
  Tensor d_weights({edges.size(), heads});
  parallel_each_row(edges.size(), row,
                    [&, from = x.data(), upstream = dy.data(), to = d_weights.unguarded_data()](Index k) {
                      const Real *a = from + edges.sources()[k] * row,
                                 *b = upstream + edges.targets()[k] * row;
                      for (Index h = 0; h < heads; ++h) {
                        Real dot = 0;
#pragma omp simd reduction(+ : dot)
                        for (Index f = h * width; f < (h + 1) * width; ++f) dot += a[f] * b[f];
                        to[k * heads + h] = dot;
                      }
                    });
  return d_weights;
}

Tensor sum_along_edges_d_x(const Tensor& weights, const Tensor& dy, const EdgeList& edges) {
  return weighted_sums("dy", weights, dy, edges, [&](Index i, auto add) {
    for (Index n = edges.out_of(i).first; n < edges.out_of(i).last; ++n)
      add(edges.by_source(n), edges.targets()[edges.by_source(n)]);
  });
}

}  // namespace gradual
