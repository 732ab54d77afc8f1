// Gradients of attention along edges.
#include <gradual/nn/graph/graph_attention.hpp>

#include "support/modules.hpp"
#include "support/operations.hpp"

using namespace gradual;

namespace {

const EdgeList edges(4, Indices({7}, {0, 1, 2, 3, 0, 2, 1}), Indices({7}, {1, 1, 0, 2, 0, 1, 1}));

}  // namespace

TEST_CASE("edge_softmax: gradients match finite differences") {
  check_operation([](const auto& x) { return edge_softmax(x[0], edges) + x[0] * x[0]; },
                  {random_tensor({7, 2}, 1)});
}

TEST_CASE("sum_along_edges: gradients match finite differences") {
  check_operation(
      [](const auto& x) {
        return concat({sum_along_edges(x[0], x[1], edges), x[1] * x[1]}, 0);
      },
      {random_tensor({7, 2}, 1), random_tensor({4, 6}, 2)});
}

TEST_CASE("leaky_relu and elu: gradients match finite differences") {
  check_operation([](const auto& x) { return leaky_relu(x[0], Real(0.2)); }, {random_tensor({5, 3}, 1)});
  check_operation([](const auto& x) { return elu(x[0]); }, {random_tensor({5, 3}, 1, -3, 3)});
}

TEST_CASE("graph attention: gradients match finite differences, for both ways to join the heads") {
  for (const HeadJoin join : {HeadJoin::concat, HeadJoin::mean}) {
    GraphAttention layer(3, 2, 2, join, 0, Random(3));
    const Var x = random_variable({4, 3}, 1);
    check_module(layer, {{"x", x}}, [&] { return layer(x, edges); });
  }
}
