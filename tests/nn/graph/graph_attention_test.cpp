// Attention along edges: values against a dense computation, and what is refused.
#include <gradual/nn/graph/graph_attention.hpp>

#include <limits>

#include <gradual/core/threads.hpp>
#include <gradual/nn/attention/recorder.hpp>

#include "support/catch.hpp"
#include "support/tensors.hpp"

using namespace gradual;

namespace {

constexpr Index N = 6, in = 4, F = 3, H = 2;

Indices ids(const std::vector<std::int32_t>& values) {
  return {Shape{static_cast<Index>(values.size())}, values};
}

// Node 5 has no edge into it.
const EdgeList edges(N, ids({0, 1, 2, 3, 0, 4, 5, 2, 1}), ids({1, 1, 0, 2, 4, 4, 3, 3, 2}));

// The same layer from whole N × N tables, with -∞ where there is no edge.
Var dense_attention(const GraphAttention& layer, const Var& x, HeadJoin join) {
  std::vector<Real> hidden(N * N, -std::numeric_limits<Real>::infinity());
  for (Index k = 0; k < edges.size(); ++k)
    hidden[static_cast<std::size_t>(edges.targets()[k] * N + edges.sources()[k])] = 0;
  const Var mask = Tensor({N, N}, hidden);
  const Var features = layer.projection(x);
  std::vector<Var> heads;
  for (Index h = 0; h < H; ++h) {
    const Var own = slice(features, 1, h * F, (h + 1) * F);
    const Var as_source = linear(own, slice(layer.source_scores, 0, h, h + 1)),  // [N, 1]
        as_target = linear(own, slice(layer.target_scores, 0, h, h + 1));
    const Var sums = as_target + transpose(as_source);
    const Var scores = relu(sums) - relu(-sums) * Real(0.2);
    const Var average = matmul(softmax(scores + mask), own);
    heads.push_back(average);
  }
  if (join == HeadJoin::concat) return concat(heads, 1) + layer.bias;
  return (heads[0] + heads[1]) / 2 + layer.bias;
}

}  // namespace

TEST_CASE("edges: are kept by target, each with its source, and counted both ways") {
  CHECK(edges.nodes() == N);
  CHECK(edges.size() == 9);
  CHECK(std::vector<std::int32_t>(edges.targets().begin(), edges.targets().end()) ==
        std::vector<std::int32_t>{0, 1, 1, 2, 2, 3, 3, 4, 4});
  CHECK(std::vector<std::int32_t>(edges.sources().begin(), edges.sources().end()) ==
        std::vector<std::int32_t>{2, 0, 1, 3, 1, 5, 2, 0, 4});
  for (Index i = 0; i < N; ++i) {
    for (Index k = edges.into(i).first; k < edges.into(i).last; ++k) CHECK(edges.targets()[k] == i);
    for (Index n = edges.out_of(i).first; n < edges.out_of(i).last; ++n)
      CHECK(edges.sources()[edges.by_source(n)] == i);
  }
  CHECK(edges.into(5).first == edges.into(5).last);
}

TEST_CASE("edges: one to or from a node that does not exist is refused") {
  CHECK_THROWS_WITH(EdgeList(3, ids({0, 1}), ids({1, 3})),
                    "edges: nodes must lie in 0 … 2: edge 1 goes from 1 to 3");
  CHECK_THROWS_AS(EdgeList(3, ids({0, -1}), ids({1, 2})), std::invalid_argument);
  CHECK_THROWS_AS(EdgeList(3, ids({0, 1}), ids({1})), std::invalid_argument);
}

TEST_CASE("neighbourhoods: each edge both ways, once, and each node to itself") {
  const EdgeList graph = neighbourhoods(3, ids({0, 1, 0}), ids({1, 0, 0}));
  CHECK(std::vector<std::int32_t>(graph.targets().begin(), graph.targets().end()) ==
        std::vector<std::int32_t>{0, 0, 1, 1, 2});
  CHECK(std::vector<std::int32_t>(graph.sources().begin(), graph.sources().end()) ==
        std::vector<std::int32_t>{0, 1, 0, 1, 2});
  CHECK_THROWS_AS(neighbourhoods(3, ids({0}), ids({3})), std::invalid_argument);
}

TEST_CASE("graph attention: values and gradients are those of a dense computation under a mask") {
  for (const HeadJoin join : {HeadJoin::concat, HeadJoin::mean}) {
    GraphAttention layer(in, F, H, join, 0, Random(3));
    layer.bias.set_value(random_tensor(layer.bias.shape(), 9));
    const Tensor features = random_tensor({N, in}, 1);
    const auto run = [&](auto attend) {
      zero_gradients(parameters(layer));
      const Var x = Var::parameter(features);
      const Var y = attend(x);
      backward(sum(y * Var(random_tensor(y.shape(), 2))));
      std::vector<Tensor> results{y.value(), x.grad()};
      for (const NamedParameter& parameter : parameters(layer)) results.push_back(parameter.variable.grad());
      return results;
    };
    const auto sparse = run([&](const Var& x) { return layer(x, edges); });
    const auto dense = run([&](const Var& x) { return dense_attention(layer, x, join); });
    REQUIRE(sparse.size() == 6);
    for (std::size_t i = 0; i < sparse.size(); ++i) {
      INFO("output, gradients of x and the parameters: number " << i);
      CHECK(difference(sparse[i], dense[i]) == "");
    }
  }
}

TEST_CASE(
    "graph attention: hands out its weights, zero where there is no edge and summing to 1 where there is "
    "one") {
  const GraphAttention layer(in, F, H, HeadJoin::concat, 0.5, Random(3));
  AttentionRecorder recorder;
  layer(random_tensor({N, in}, 1), edges);
  REQUIRE(recorder.recorded().size() == 1);
  CHECK(recorder.recorded()[0].layer == "graph_attention");
  const Tensor weights = recorder.recorded()[0].weights;
  REQUIRE(weights.shape() == Shape{1, H, N, N});
  for (Index h = 0; h < H; ++h) {
    for (Index i = 0; i < N; ++i) {
      Real total = 0;
      for (Index j = 0; j < N; ++j) {
        total += weights({0, h, i, j});
        bool is_edge = false;
        for (Index k = 0; k < edges.size(); ++k)
          is_edge = is_edge || (edges.targets()[k] == i && edges.sources()[k] == j);
        CHECK((weights({0, h, i, j}) > 0) == is_edge);
      }
      CHECK(std::abs(total - (i == 5 ? 0 : 1)) < 1e-5);
    }
  }
}

TEST_CASE("graph attention: the order in which edges are given does not matter") {
  const GraphAttention layer(in, F, H, HeadJoin::concat, 0, Random(3));
  const EdgeList mixed(N, ids({1, 2, 5, 4, 0, 3, 2, 1, 0}), ids({2, 3, 3, 4, 4, 2, 0, 1, 1}));
  const Var x = random_tensor({N, in}, 1);
  CHECK(difference(layer(x, mixed).value(), layer(x, edges).value()) == "");
}

TEST_CASE("graph attention: the bits are the same for any number of threads") {
  constexpr Index nodes = 500;
  Random random(7);
  std::vector<std::int32_t> from, to;
  for (Index k = 0; k < 20 * nodes; ++k) {
    from.push_back(static_cast<std::int32_t>(random.below(nodes)));
    to.push_back(static_cast<std::int32_t>(random.below(nodes)));
  }
  const EdgeList large(nodes, ids(from), ids(to));
  GraphAttention layer(8, 8, 4, HeadJoin::concat, 0, Random(3));
  const auto run = [&](int threads) {
    const int before = thread_count();
    set_thread_count(threads);
    zero_gradients(parameters(layer));
    const Var x = Var::parameter(random_tensor({nodes, 8}, 1));
    const Var y = layer(x, large);
    backward(sum(y * y));
    set_thread_count(before);
    std::vector<Real> numbers = y.value().to_vector();
    for (const Real number : x.grad()) numbers.push_back(number);
    return numbers;
  };
  CHECK(run(1) == run(4));
}

TEST_CASE("graph attention: features and weights of other shapes are refused") {
  const GraphAttention layer(in, F, H, HeadJoin::concat, 0, Random(3));
  CHECK_THROWS_WITH(layer(random_tensor({N + 1, in}, 1), edges),
                    "graph attention: x must have a row for each node, [N, in]: N is 6, x is [7, 4]");
  CHECK_THROWS_WITH(layer.attend(random_tensor({N, in}, 1), edges),
                    "graph attention: projected features must be [N, heads·head width], [6, 6]: got [6, 4]");
  CHECK_THROWS_AS(edge_softmax(random_tensor({8, 2}, 1), edges), std::invalid_argument);
  CHECK_THROWS_AS(sum_along_edges(random_tensor({9, 2}, 1), random_tensor({N, 3}, 2), edges),
                  std::invalid_argument);
  CHECK_THROWS_AS(sum_along_edges(random_tensor({9, 2}, 1), random_tensor({N - 1, 4}, 2), edges),
                  std::invalid_argument);
}

TEST_CASE("leaky_relu and elu: values") {
  const Tensor x({4}, {-2, -0.5, 0, 3});
  CHECK(difference(leaky_relu(x, Real(0.2)), Tensor({4}, {Real(-0.4), Real(-0.1), 0, 3})) == "");
  CHECK(difference(elu(x), Tensor({4}, {static_cast<Real>(std::exp(-2.0) - 1),
                                        static_cast<Real>(std::exp(-0.5) - 1), 0, 3})) == "");
}
