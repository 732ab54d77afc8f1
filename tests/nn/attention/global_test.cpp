// Global attention: weights over a collection, whatever the keys.
#include <gradual/nn/attention/global.hpp>

#include <cmath>
#include <limits>

#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/attention/scores/dot.hpp>
#include <gradual/nn/positions/vectors.hpp>

#include "support/catch.hpp"
#include "support/tensors.hpp"

using namespace gradual;

namespace {

GlobalAttention dot_pooling(const Tensor& query) {
  GlobalAttention attention(std::make_shared<DotScore>(), query.dim(1), Random(1));
  attention.query.set_value(query);
  return attention;
}

}  // namespace

TEST_CASE("global attention: pools items by their scores against the learned query") {
  const GlobalAttention attention = dot_pooling(Tensor({1, 2}, {1, 0}));
  // Scores log 1, log 3: weights 1/4 and 3/4.
  const Real log3 = static_cast<Real>(std::log(3.0));
  const Var items = Tensor({1, 2, 2}, {0, 8, log3, 4});
  CHECK(difference(attention(items).value(), Tensor({1, 2}, {Real(0.75) * log3, 5})) == "");
}

TEST_CASE("global attention: takes collections of any size, and items that do not count change nothing") {
  const GlobalAttention attention = dot_pooling(random_tensor({1, 3}, 1));
  const Var items = random_tensor({2, 4, 3}, 2);
  const Tensor pooled = attention(items).value();
  CHECK(pooled.shape() == Shape{2, 3});
  const Var longer = concat({items, Var(random_tensor({2, 6, 3}, 3))}, 1);
  CHECK(difference(attention(longer, Indices({2}, {4, 4})).value(), pooled) == "");
}

TEST_CASE("global attention: the order of the items does not matter") {
  const GlobalAttention attention = dot_pooling(random_tensor({1, 2}, 1));
  const Var items = Tensor({1, 3, 2}, {1, 2, 3, 4, 5, 6}), mixed = Tensor({1, 3, 2}, {5, 6, 1, 2, 3, 4});
  CHECK(difference(attention(items).value(), attention(mixed).value()) == "");
}

TEST_CASE("global attention: a collection without items gives zeros") {
  const GlobalAttention attention = dot_pooling(random_tensor({1, 2}, 1));
  const Tensor pooled = attention(random_tensor({2, 3, 2}, 2), Indices({2}, {0, 3})).value();
  CHECK(pooled.rows(0, 1).to_vector() == std::vector<Real>{0, 0});
  CHECK(pooled({1, 0}) != 0);
}

TEST_CASE("global attention: with places as keys the weights depend on the places alone") {
  const GlobalAttention attention = dot_pooling(random_tensor({1, 6}, 1));
  const Var places = broadcast_to(sinusoidal_positions(4, 6), {2, 4, 6});
  AttentionRecorder recorder;
  attention(places, random_tensor({2, 4, 3}, 2));
  attention(places, random_tensor({2, 4, 3}, 3));
  REQUIRE(recorder.recorded().size() == 2);
  CHECK(recorder.recorded()[0].layer == "global_attention");
  CHECK(recorder.recorded()[0].weights.shape() == Shape{2, 1, 1, 4});
  CHECK(difference(recorder.recorded()[0].weights, recorder.recorded()[1].weights) == "");
}

TEST_CASE("mean of items: the mean of those that count, and zeros where none does") {
  const Var items = Tensor({3, 2, 1}, {1, 3, 5, 9, 7, 8});
  CHECK(difference(mean_of_items(items, Indices({3}, {2, 1, 0})).value(), Tensor({3, 1}, {2, 5, 0})) == "");
  CHECK(difference(mean_of_items(items).value(), Tensor({3, 1}, {2, 7, 7.5})) == "");
  CHECK_THROWS_WITH(mean_of_items(Tensor({2}, {1, 2})),
                    "mean_of_items: items must be [B, N, D]: they are [2]");
}

TEST_CASE(
    "neighbourhood_means: the mean of the items around each, itself included, within the valid length") {
  const Var items = Tensor({2, 4, 1}, {1, 3, 8, 100, 1, 3, 8, 100});
  CHECK(difference(neighbourhood_means(items, 1, Indices({2}, {4, 3})).value(),
                   Tensor({2, 4, 1}, {2, 4, 37, 54, 2, 4, 5.5, 0})) == "");
  CHECK(
      difference(neighbourhood_means(items, std::numeric_limits<Index>::max(), Indices({2}, {4, 3})).value(),
                 Tensor({2, 4, 1}, {28, 28, 28, 28, 4, 4, 4, 0})) == "");
  CHECK_THROWS_AS(neighbourhood_means(items, 1, Indices({2}, {4, 5})), std::invalid_argument);
  CHECK_THROWS_WITH(neighbourhood_means(items, -1),
                    "neighbourhood_means: the radius must not be negative: got -1");
}
