#include <gradual/autograd/operations.hpp>

namespace gradual {

Var edge_softmax(const Var& x, const EdgeList& edges) {
  const Tensor y = edge_softmax(x.value(), edges);
  return record("edge_softmax", y,
                {{x, [y, edges](const Tensor& dy) { return edge_softmax_backward(y, dy, edges); }}});
}

Var sum_along_edges(const Var& weights, const Var& x, const EdgeList& edges) {
  Tensor y = sum_along_edges(weights.value(), x.value(), edges);
  return record("sum_along_edges", std::move(y),
                {{weights, [x = x.value(), heads = weights.dim(1), edges](
                               const Tensor& dy) { return sum_along_edges_d_weights(x, dy, heads, edges); }},
                 {x, [weights = weights.value(), edges](const Tensor& dy) {
                    return sum_along_edges_d_x(weights, dy, edges);
                  }}});
}

}  // namespace gradual
