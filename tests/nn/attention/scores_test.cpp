// The scores: values by hand, and what they refuse.
#include <cmath>

#include <gradual/nn/attention/scores/additive.hpp>
#include <gradual/nn/attention/scores/concat.hpp>
#include <gradual/nn/attention/scores/cosine.hpp>
#include <gradual/nn/attention/scores/dot.hpp>
#include <gradual/nn/attention/scores/general.hpp>
#include <gradual/nn/attention/scores/location.hpp>

#include "support/catch.hpp"
#include "support/tensors.hpp"

using namespace gradual;

namespace {

// One query (1, 2) and the keys (3, 4) and (0, -1).
const Var query = Tensor({1, 1, 2}, {1, 2});
const Var keys = Tensor({1, 2, 2}, {3, 4, 0, -1});

Tensor numbers(const Shape& shape, const std::vector<double>& values) {
  return Tensor(shape, std::vector<Real>(values.begin(), values.end()));
}

}  // namespace

TEST_CASE("dot score: qᵀk") {
  CHECK(difference(DotScore()(query, keys).value(), numbers({1, 1, 2}, {11, -2})) == "");
}

TEST_CASE("scaled dot score: qᵀk / √d, not / d") {
  CHECK(difference(ScaledDotScore()(query, keys).value(),
                   numbers({1, 1, 2}, {11 / std::sqrt(2.0), -2 / std::sqrt(2.0)})) == "");
}

TEST_CASE("general score: qᵀWk, with queries and keys of different sizes") {
  GeneralScore score(2, 3, Random(1));
  score.weight.set_value(Tensor({2, 3}, {1, 0, 2, 0, 1, -1}));
  const Var three = Tensor({1, 2, 3}, {1, 2, 3, 0, -1, 1});
  // W·k is (7, -1) and (2, -2).
  CHECK(difference(score(query, three).value(), numbers({1, 1, 2}, {5, -2})) == "");
}

TEST_CASE("additive score: vᵀ tanh(W_q·q + W_k·k), with queries and keys of different sizes") {
  AdditiveScore score(2, 1, 2, Random(1));
  score.query_weight.set_value(Tensor({2, 2}, {1, 0, 0, 1}));
  score.key_weight.set_value(Tensor({2, 1}, {1, -1}));
  score.v.set_value(Tensor({2}, {2, 3}));
  const Var one = Tensor({1, 2, 1}, {0.5, -1});
  CHECK(difference(score(query, one).value(),
                   numbers({1, 1, 2}, {2 * std::tanh(1.5) + 3 * std::tanh(1.5),
                                       2 * std::tanh(0.0) + 3 * std::tanh(3.0)})) == "");
}

TEST_CASE("additive_scores: the fused operation gives what its parts give, values and gradients") {
  const Index B = 3, T = 4, S = 5, H = 7;
  const auto run = [&](auto scores) {
    const Var q = Var::parameter(random_tensor({B, T, H}, 1)),
              k = Var::parameter(random_tensor({B, S, H}, 2)), v = Var::parameter(random_tensor({H}, 3));
    const Var y = scores(q, k, v);
    backward(sum(y * Var(random_tensor({B, T, S}, 4))));
    return std::vector<Tensor>{y.value(), q.grad(), k.grad(), v.grad()};
  };
  const auto fused = run([](const Var& q, const Var& k, const Var& v) { return additive_scores(q, k, v); });
  const auto parts = run([&](const Var& q, const Var& k, const Var& v) {
    return sum(v * tanh(reshape(q, {B, T, 1, H}) + reshape(k, {B, 1, S, H})), {-1});
  });
  for (std::size_t i = 0; i < fused.size(); ++i) CHECK(difference(fused[i], parts[i]) == "");
}

TEST_CASE("concat score: vᵀ tanh(W·[q; k]), computed without joining the pairs") {
  ConcatScore score(2, 2, 3, Random(5));
  const Var pair = Tensor({1, 1, 4}, {1, 2, 0, -1});  // the query beside the second key
  const Var expected = linear(tanh(linear(pair, score.weight)), reshape(score.v, {1, 3}));
  const Real ours = score(query, keys).value()({0, 0, 1});
  CHECK(std::abs(ours - expected.value().item()) < 1e-6);
}

TEST_CASE("cosine score: β·cos(q, k), whatever the lengths of both") {
  const CosineScore score(3);
  const std::vector<double> cosines{11 / std::sqrt(5.0 * 25), -2 / std::sqrt(5.0)};
  const Tensor expected = numbers({1, 1, 2}, {3 * cosines[0], 3 * cosines[1]});
  CHECK(difference(score(query, keys).value(), expected) == "");
  CHECK(difference(score(query * 100, keys * Real(0.01)).value(), expected) == "");
}

TEST_CASE("cosine score: a key of zeros scores 0") {
  CHECK(CosineScore()(query, Tensor::zeros({1, 1, 2})).value().item() == 0);
}

TEST_CASE("location score: the first S rows of W·q, whatever the keys hold") {
  LocationScore score(2, 4, Random(1));
  score.weight.set_value(Tensor({4, 2}, {1, 0, 0, 1, 5, 5, 5, 5}));
  CHECK(difference(score(query, keys).value(), numbers({1, 1, 2}, {1, 2})) == "");
  CHECK(difference(score(query, keys * 7).value(), numbers({1, 1, 2}, {1, 2})) == "");
}

TEST_CASE("scores: one made by its name scores all pairs of queries and keys") {
  const Var queries = random_tensor({2, 3, 4}, 1), four = random_tensor({2, 5, 4}, 2);
  for (const std::string& name : score_names()) {
    INFO(name);
    CHECK((*make_score(name, {4, 4}, Random(1)))(queries, four).shape() == Shape{2, 3, 5});
  }
}

TEST_CASE("scores: preparing the keys first changes nothing") {
  const Var queries = random_tensor({2, 3, 4}, 1), four = random_tensor({2, 5, 4}, 2);
  for (const std::string& name : score_names()) {
    INFO(name);
    const auto score = make_score(name, {4, 4}, Random(1));
    CHECK(difference(score->compare(queries, score->prepare(four)).value(),
                     (*score)(queries, four).value()) == "");
  }
}

TEST_CASE("scores: an unknown name is refused with the known ones") {
  CHECK_THROWS_AS(make_score("bahdanau", {4, 4}, Random(1)), std::invalid_argument);
  CHECK_THROWS_WITH(make_score("bahdanau", {4, 4}, Random(1)),
                    Contains("score: the name must be a known one: got \"bahdanau\"; known are additive, ") &&
                        Contains("cosine, ") && Contains(", scaled_dot"));
}

TEST_CASE("scores: sizes that the score cannot compare are refused, when it is made and when it is used") {
  for (const std::string name : {"dot", "scaled_dot", "cosine"}) {
    INFO(name);
    CHECK_THROWS_AS(make_score(name, {4, 6}, Random(1)), std::invalid_argument);
    CHECK_THROWS_AS(
        (*make_score(name, {4, 4}, Random(1)))(random_tensor({1, 2, 4}, 1), random_tensor({1, 2, 6}, 2)),
        std::invalid_argument);
  }
  CHECK_THROWS_WITH(make_score("dot", {4, 6}, Random(1)),
                    "dot score: queries and keys must have one size: queries have 4 numbers, keys 6; "
                    "additive, general and concat compare different sizes");
  for (const std::string name : {"additive", "general", "concat"}) {
    INFO(name);
    const auto score = make_score(name, {4, 6}, Random(1));
    CHECK((*score)(random_tensor({1, 2, 4}, 1), random_tensor({1, 3, 6}, 2)).shape() == Shape{1, 2, 3});
    CHECK_THROWS_WITH((*score)(random_tensor({1, 2, 6}, 1), random_tensor({1, 3, 4}, 2)),
                      name + " score: it was made for queries of 4 and keys of 6 numbers: got 6 and 4");
  }
  CHECK_THROWS_WITH(
      (*make_score("location", {4, 6}, Random(1)))(random_tensor({1, 2, 5}, 1), random_tensor({1, 3, 6}, 2)),
      "location score: it was made for queries of 4 numbers: got 5");
  CHECK_THROWS_WITH((*make_score("location", {4, 4, 0, 2}, Random(1)))(random_tensor({1, 2, 4}, 1),
                                                                       random_tensor({1, 3, 4}, 2)),
                    "location score: it was made for up to 2 keys: got 3");
}

TEST_CASE("scores: queries and keys of other shapes are refused with both") {
  CHECK_THROWS_WITH(DotScore()(random_tensor({2, 4}, 1), random_tensor({2, 3, 4}, 2)),
                    "score: queries must be [B, T, D_q] and keys [B, S, D_k]: queries are [2, 4], keys are "
                    "[2, 3, 4]");
  CHECK_THROWS_AS(DotScore()(random_tensor({1, 2, 4}, 1), random_tensor({2, 3, 4}, 2)),
                  std::invalid_argument);
  CHECK_THROWS_AS(CosineScore(0), std::invalid_argument);
}
