// Softmax and sums along edges at the limits; their values are compared with plain ones in
// reference_test.cpp.
#include <gradual/core/layers/edges.hpp>

#include <cmath>

#include "support/catch.hpp"
#include "support/tensors.hpp"

using namespace gradual;
using Numbers = std::vector<Real>;

namespace {

// 0 → 0, 1 → 0, 2 → 0 and 0 → 2; none into 1.
EdgeList star() { return {3, Indices({4}, {0, 1, 2, 0}), Indices({4}, {0, 0, 0, 2})}; }

}  // namespace

TEST_CASE("edge softmax: large scores neither overflow nor vanish, -∞ gets no weight") {
  CHECK(edge_softmax(Tensor({4, 1}, {10000, 10000, -10000, -10000}), star()).to_vector() ==
        Numbers{0.5, 0.5, 0, 1});
  CHECK(edge_softmax(Tensor({4, 1}, {-infinity, 5, 5, -infinity}), star()).to_vector() ==
        Numbers{0, 0.5, 0.5, 0});
  CHECK(edge_softmax(Tensor({4, 1}, {-infinity, -infinity, -infinity, 7}), star()).to_vector() ==
        Numbers{0, 0, 0, 1});
  const Tensor y = edge_softmax(Tensor({4, 1}, {Real(std::nan("")), 1, 2, 3}), star());
  CHECK((std::isnan(y.data()[1]) && y.data()[3] == 1));  // of its own node alone
}

TEST_CASE("edges: they lie in the order of their targets, those of one target as they were given") {
  const EdgeList edges(3, Indices({5}, {2, 0, 1, 2, 1}), Indices({5}, {1, 1, 0, 2, 1}));
  CHECK(std::vector<std::int32_t>(edges.targets().begin(), edges.targets().end()) ==
        std::vector<std::int32_t>{0, 1, 1, 1, 2});
  CHECK(std::vector<std::int32_t>(edges.sources().begin(), edges.sources().end()) ==
        std::vector<std::int32_t>{1, 2, 0, 1, 2});
  CHECK_THROWS_WITH(edges.into(3), "edges: there must be such a node, or edge: got 3 of 3");
  CHECK_THROWS_WITH(edges.out_of(-1), "edges: there must be such a node, or edge: got -1 of 3");
  CHECK_THROWS_WITH(edges.by_source(5), "edges: there must be such a node, or edge: got 5 of 5");
}

TEST_CASE("edges: no edge, no head and no node are no trouble") {
  const EdgeList none(3, Indices(), Indices()), nowhere(0, Indices(), Indices());
  CHECK(edge_softmax(Tensor({0, 2}), none).shape() == Shape{0, 2});
  CHECK(edge_softmax(Tensor({4, 0}), star()).shape() == Shape{4, 0});
  CHECK(sum_along_edges(Tensor({0, 1}), Tensor::ones({3, 2}), none).to_vector() == Numbers(6, 0));
  CHECK(sum_along_edges(Tensor({0, 1}), Tensor({0, 2}), nowhere).shape() == Shape{0, 2});
  CHECK(neighbourhoods(2, Indices(), Indices()).size() == 2);
}

TEST_CASE("edges: what does not fit is refused") {
  CHECK_THROWS_WITH(EdgeList(-1, Indices(), Indices()),
                    "edges: the number of nodes must fit 31 bits: got -1");
  CHECK_THROWS_AS(EdgeList(Index(1) << 31, Indices(), Indices()), std::invalid_argument);
  CHECK_THROWS_WITH(EdgeList(3, Indices({1}, {0}), Indices({1}, {3})),
                    "edges: nodes must lie in 0 … 2: edge 0 goes from 0 to 3");
  CHECK_THROWS_AS(EdgeList(3, Indices({1}, {-1}), Indices({1}, {0})), std::invalid_argument);
  CHECK_THROWS_AS(EdgeList(3, Indices({2}, {0, 1}), Indices({1}, {0})), std::invalid_argument);
  const Tensor weights = Tensor::ones({4, 2}), x = Tensor::ones({3, 4});
  CHECK_THROWS_WITH(edge_softmax(Tensor(), star()),
                    "edge_softmax: there must be a row for each edge, [E, H]: E is 4, got []");
  CHECK_THROWS_WITH(edge_softmax_backward(weights, x, star()),
                    "edge_softmax_backward: dy must be [4, 2]: it is [3, 4]");
  CHECK_THROWS_WITH(sum_along_edges(weights, Tensor::ones({3, 5}), star()),
                    "sum_along_edges: x must be [N, H·F]: N is 3, H is 2, x is [3, 5]");
  CHECK_THROWS_AS(sum_along_edges(weights, Tensor::ones({2, 4}), star()), std::invalid_argument);
  CHECK_THROWS_AS(sum_along_edges(Tensor({4, 0}), x, star()), std::invalid_argument);
  CHECK_THROWS_WITH(sum_along_edges_d_weights(x, Tensor::ones({3, 5}), 2, star()),
                    "sum_along_edges: dy must be [3, 4]: it is [3, 5]");
  CHECK_THROWS_AS(sum_along_edges_d_weights(x, x, 0, star()), std::invalid_argument);
  CHECK_THROWS_AS(sum_along_edges_d_weights(x, x, -2, star()), std::invalid_argument);
  CHECK_THROWS_WITH(sum_along_edges_d_x(weights, Tensor::ones({2, 4}), star()),
                    "sum_along_edges: dy must be [N, H·F]: N is 3, H is 2, dy is [2, 4]");
}
