// The attention layer: the textbook's example, masks, dropout, what it hands out and what it refuses.
#include <gradual/nn/attention/attention.hpp>

#include <limits>

#include <gradual/nn/attention/masks.hpp>
#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/attention/scores/dot.hpp>

#include "support/catch.hpp"
#include "support/tensors.hpp"

using namespace gradual;

namespace {

// Two collections of ten equal keys with the values 0 … 39, of which 2 and 6 count.
const Var ones = Tensor::ones({2, 10, 2});
const Var forty = concat(
    {Var(Tensor::arange(40).with_shape({1, 10, 4})), Var(Tensor::arange(40).with_shape({1, 10, 4}))}, 0);
const AttentionMask two_and_six{Indices({2}, {2, 6})};
const Tensor averages({2, 1, 4}, {2, 3, 4, 5, 10, 11, 12, 13});

Tensor weights_of(const Tensor& scores, const AttentionMask& mask) {
  return masked_softmax(Var(scores), mask).value();
}

}  // namespace

TEST_CASE("dot-product attention: equal keys average the values that count, as in the textbook") {
  DotProductAttention attention(0.5, Random(1));
  set_training(attention, false);
  CHECK(difference(attention(Tensor::ones({2, 1, 2}), ones, forty, two_and_six).value(), averages) == "");
}

TEST_CASE("MLP attention: equal keys average the values that count, as in the textbook") {
  MLPAttention attention(3, 2, 8, 0.1, Random(1));
  set_training(attention, false);
  CHECK(difference(attention(random_tensor({2, 1, 3}, 1), ones, forty, two_and_six).value(), averages) == "");
}

TEST_CASE("attention: items that do not count change nothing, however many there are") {
  const DotProductAttention attention(0, Random(1));
  const Var queries = random_tensor({1, 2, 3}, 1), keys = random_tensor({1, 4, 3}, 2),
            values = random_tensor({1, 4, 5}, 3);
  const Var alone = attention(queries, keys, values);
  for (const Index more : {1, 7}) {
    const Var longer =
        attention(queries, concat({keys, Var(random_tensor({1, more, 3}, 4))}, 1),
                  concat({values, Var(random_tensor({1, more, 5}, 5))}, 1), {Indices({1}, {4})});
    CHECK(difference(longer.value(), alone.value()) == "");
  }
}

TEST_CASE("attention: its weights are not negative and sum to 1") {
  AttentionRecorder recorder;
  MLPAttention(3, 3, 4, 0, Random(1))(random_tensor({2, 3, 3}, 1), random_tensor({2, 5, 3}, 2),
                                      random_tensor({2, 5, 4}, 3));
  REQUIRE(recorder.recorded().size() == 1);
  const Tensor weights = recorder.recorded()[0].weights;
  CHECK(recorder.recorded()[0].layer == "attention");
  CHECK(weights.shape() == Shape{2, 1, 3, 5});
  for (Real weight : weights) CHECK(weight >= 0);
  CHECK(difference(sum(weights, {-1}, Axis::kept), Tensor::ones({2, 1, 3, 1})) == "");
}

TEST_CASE("attention: dropout drops weights in training, and hands them out as they were before") {
  const Attention attention(std::make_shared<DotScore>(), 0.5, Random(3));
  AttentionRecorder recorder;
  // Values of 1: the output is the sum of the dropped weights.
  const Tensor out =
      attention(random_tensor({1, 64, 2}, 1), random_tensor({1, 8, 2}, 2), Tensor::ones({1, 8, 1})).value();
  CHECK(difference(sum(recorder.recorded()[0].weights, {-1}, Axis::kept), Tensor::ones({1, 1, 64, 1})) == "");
  Index different = 0;
  for (Real total : out) different += total != 1;
  CHECK(different > 32);
}

TEST_CASE("masked_softmax: a causal mask hides what comes after the query") {
  const AttentionMask causal{{}, true};
  const Tensor equal = Tensor::zeros({1, 3, 3});
  const double third = 1.0 / 3;
  const Real t = static_cast<Real>(third);
  CHECK(difference(weights_of(equal, causal), Tensor({1, 3, 3}, {1, 0, 0, 0.5, 0.5, 0, t, t, t})) == "");
  // Two queries at the end of four keys see three and four of them.
  CHECK(difference(weights_of(Tensor::zeros({1, 2, 4}), causal),
                   Tensor({1, 2, 4}, {t, t, t, 0, 0.25, 0.25, 0.25, 0.25})) == "");
}

TEST_CASE("masked_softmax: a window hides what is far from the query, on both sides") {
  const Real t = static_cast<Real>(1.0 / 3);
  CHECK(difference(weights_of(Tensor::zeros({1, 4, 4}), {{}, false, 1}),
                   Tensor({1, 4, 4}, {0.5, 0.5, 0, 0, t, t, t, 0, 0, t, t, t, 0, 0, 0.5, 0.5})) == "");
  CHECK(difference(weights_of(Tensor::zeros({1, 4, 4}), {{}, true, 1}),
                   Tensor({1, 4, 4}, {1, 0, 0, 0, 0.5, 0.5, 0, 0, 0, 0.5, 0.5, 0, 0, 0, 0.5, 0.5})) == "");
}

TEST_CASE("masked_softmax: padding, order and window act together; a query that sees no key gets zeros") {
  // Query 3 sees the keys 2 and 3 by its place, and neither counts.
  CHECK(difference(weights_of(Tensor::zeros({1, 4, 4}), {Indices({1}, {2}), true, 1}),
                   Tensor({1, 4, 4}, {1, 0, 0, 0, 0.5, 0.5, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0})) == "");
}

TEST_CASE("masked_softmax: what is hidden may be anything, also no number") {
  const Real nan = std::numeric_limits<Real>::quiet_NaN(), infinity = std::numeric_limits<Real>::infinity();
  AttentionMask mask;
  mask.causal = true;
  for (const Real hidden : {nan, infinity, -infinity}) {
    const Var scores = Var::parameter(Tensor({1, 2, 2}, {0, hidden, 0, 0}));
    const Var y = masked_softmax(scores, mask);
    CHECK(y.value().to_vector() == std::vector<Real>{1, 0, Real(0.5), Real(0.5)});
    backward(sum(y * Tensor({1, 2, 2}, {1, 2, 3, 4})));
    CHECK(scores.grad().to_vector() == std::vector<Real>{0, 0, Real(-0.25), Real(0.25)});
  }
}

TEST_CASE("masked_softmax: a query that sees no key passes no gradient") {
  const Var scores = Var::parameter(random_tensor({1, 4, 4}, 1));
  const Var weights = masked_softmax(scores, AttentionMask{Indices({1}, {2}), true, 1});
  backward(sum(weights * Var(random_tensor({1, 4, 4}, 2))));
  for (Index s = 0; s < 4; ++s) CHECK(scores.grad()({0, 3, s}) == 0);
  CHECK(scores.grad()({0, 1, 0}) != 0);
}

TEST_CASE("masked_softmax: bad valid lengths, windows and scores are refused") {
  const Tensor scores = Tensor::zeros({2, 3, 4});
  CHECK_THROWS_WITH(weights_of(scores, {Indices({2}, {1, 5})}),
                    "attention: valid lengths must lie in 0 … number of keys: got 5 of 4 keys");
  CHECK_THROWS_AS(weights_of(scores, {Indices({2}, {1, -1})}), std::invalid_argument);
  CHECK_THROWS_AS(weights_of(scores, {Indices({3}, {1, 1, 1})}), std::invalid_argument);
  CHECK_THROWS_WITH(weights_of(scores, {{}, false, -1}),
                    "attention: the window must not be negative: got -1");
  CHECK_THROWS_AS(weights_of(Tensor::zeros({3, 4}), {}), std::invalid_argument);
}

TEST_CASE("batch_dot: one product for each batch, and other shapes are refused") {
  const Var x = Tensor({2, 1, 2}, {1, 2, 3, 4}), y = Tensor({2, 2, 1}, {5, 6, 7, 8});
  CHECK(batch_dot(x, y).value().to_vector() == std::vector<Real>{17, 53});
  CHECK(batch_dot(Tensor::ones({2, 1, 3}), Tensor::ones({2, 3, 2})).value().to_vector() ==
        std::vector<Real>{3, 3, 3, 3});
  CHECK_THROWS_WITH(batch_dot(x, x),
                    "batch_dot: x must be [B, N, M] and y [B, M, K]: x is [2, 1, 2], y is [2, 1, 2]");
  CHECK_THROWS_AS(batch_dot(x, Tensor::ones({1, 2, 1})), std::invalid_argument);
  CHECK_THROWS_AS(batch_dot(Tensor::ones({1, 2}), Tensor::ones({2, 1})), std::invalid_argument);
}

TEST_CASE("attention: sizes that do not fit are refused") {
  const MLPAttention attention(3, 2, 4, 0, Random(1));
  CHECK_THROWS_AS(attention(Tensor::ones({2, 1, 2}), ones, forty), std::invalid_argument);
  CHECK_THROWS_AS(attention(Tensor::ones({2, 1, 3}), ones, Var(Tensor::ones({2, 9, 4}))),
                  std::invalid_argument);
  CHECK_THROWS_AS(attention(Tensor::ones({2, 1, 3}), ones, forty, {Indices({2}, {2, 11})}),
                  std::invalid_argument);
}
