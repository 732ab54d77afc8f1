// Entropy and rollout, by hand.
#include <gradual/nn/attention/analysis.hpp>

#include <cmath>

#include "support/catch.hpp"
#include "support/tensors.hpp"

using namespace gradual;

TEST_CASE(
    "attention entropy: 0 where one key has it all, log S where all are alike, and the mean over queries") {
  // Head 0 looks at one key, head 1 at both alike, head 2 at 1 and 3 quarters.
  const Tensor weights({1, 3, 2, 2}, {1, 0, 0, 1, 0.5, 0.5, 0.5, 0.5, 0.25, 0.75, 1, 0});
  const double mixed = 0.25 * std::log(4.0) + 0.75 * std::log(4.0 / 3);
  CHECK(difference(attention_entropy(weights),
                   Tensor({3}, {0, static_cast<Real>(std::log(2.0)), static_cast<Real>(mixed / 2)})) == "");
}

TEST_CASE("attention entropy: padded queries and those that see no key do not count") {
  const Tensor weights({2, 1, 2, 2}, {0.5, 0.5, 1, 0, 0.5, 0.5, 0, 0});
  const Real log2 = static_cast<Real>(std::log(2.0));
  CHECK(difference(attention_entropy(weights), Tensor({1}, {log2 * 2 / 3})) == "");
  CHECK(difference(attention_entropy(weights, Indices({2}, {1, 2})), Tensor({1}, {log2})) == "");
}

// Sentence 0: query 0 wants key 1, query 1 wants both; sentence 1: only query 1 wants, key 0. Head 0 gives
// these 0.9, 1 and 0.5, head 1 gives 0.2, 1 and 0.
TEST_CASE("attention on keys: the mean weight on what is wanted, over the queries that want something") {
  const Tensor weights({2, 2, 2, 2}, {0.1, 0.9, 0.5, 0.5, 0.8, 0.2, 0.3, 0.7, 1, 0, 0.5, 0.5, 1, 0, 0, 1});
  const std::vector<double> shares = attention_on(weights, Tensor({2, 2, 2}, {0, 1, 1, 1, 0, 0, 1, 0}));
  REQUIRE(shares.size() == 2);
  CHECK(shares[0] == Approx((0.9 + 1 + 0.5) / 3));
  CHECK(shares[1] == Approx((0.2 + 1 + 0) / 3));
  CHECK_THROWS_WITH(attention_on(weights, Tensor::zeros({2, 2, 2})),
                    "attention on keys: some key must be wanted: none is");
  CHECK_THROWS_WITH(
      attention_on(weights, Tensor::zeros({2, 2})),
      "attention on keys: weights must be [B, H, T, S] and what is wanted [B, T, S]: weights are [2, "
      "2, 2, 2], wanted is [2, 2]");
}

TEST_CASE("attention rollout: the product of the layers' mean heads with their residuals") {
  // The mean over the two heads of layer 1 is (1/2 1/2; 0 1), with the residual (3/4 1/4; 0 1). Layer 2 is (0
  // 1; 1 0), with the residual (1/2 1/2; 1/2 1/2). Their product, layer 2 first, is (3/8 5/8; 3/8 5/8).
  const std::vector<RecordedAttention> layers{{"layers.0", Tensor({1, 2, 2, 2}, {1, 0, 0, 1, 0, 1, 0, 1})},
                                              {"layers.1", Tensor({1, 1, 2, 2}, {0, 1, 1, 0})}};
  CHECK(difference(attention_rollout({layers[0]}), Tensor({1, 2, 2}, {0.75, 0.25, 0, 1})) == "");
  CHECK(difference(attention_rollout(layers), Tensor({1, 2, 2}, {0.375, 0.625, 0.375, 0.625})) == "");
}

TEST_CASE("attention rollout and entropy: other shapes are refused") {
  CHECK_THROWS_WITH(attention_rollout({}), "attention rollout: there must be at least one layer");
  CHECK_THROWS_WITH(
      attention_rollout({{"encoder.0", Tensor::zeros({1, 2, 3, 3})}, {"cross", Tensor::zeros({1, 2, 3, 4})}}),
      "attention rollout: layers must be self-attention of one stack, [B, H, T, T]: \"encoder.0\" is [1, 2, "
      "3, 3], "
      "\"cross\" is [1, 2, 3, 4]");
  CHECK_THROWS_WITH(
      attention_entropy(Tensor::zeros({2, 2, 2})),
      "attention entropy: weights must be [B, H, T, S] and the numbers of queries [B]: weights are "
      "[2, 2, 2], numbers are [0]");
  CHECK_THROWS_AS(attention_entropy(Tensor::zeros({2, 1, 2, 2}), Indices({1}, {1})), std::invalid_argument);
}
