// Attention as an operation: values by hand, masks, the weights it hands out, and the texts of errors.
#include <gradual/autograd/operations.hpp>

#include <array>
#include <cmath>
#include <limits>

#include "support/catch.hpp"
#include "support/tensors.hpp"

using namespace gradual;

namespace {

AttentionOptions with_lengths(const Indices& lengths) {
  AttentionOptions options;
  options.mask.valid_lengths = lengths;
  return options;
}

AttentionOptions causal() {
  AttentionOptions options;
  options.mask.causal = true;
  return options;
}

Tensor attend(const Tensor& q, const Tensor& k, const Tensor& v, Index heads,
              const AttentionOptions& options = {}) {
  return attention({q}, {k}, {v}, heads, q.dim(2) / heads, v.dim(2) / heads, options).value();
}

}  // namespace

TEST_CASE("attention: the weighted average of two values by hand") {
  // Scores 1·0 and 1·ln 3 give the weights 1/4 and 3/4.
  const Tensor q({1, 1, 1}, {1}), k({1, 2, 1}, {0, Real(std::log(3.0))}), v({1, 2, 2}, {4, 0, 8, 4});
  CHECK(difference(attend(q, k, v, 1), Tensor({1, 1, 2}, {7, 3})) == "");
}

TEST_CASE("attention: scores are divided by the square root of d_k") {
  // 4·ln 3 / √4 = 2·ln 3: weights 1/10 and 9/10.
  const Real log3 = static_cast<Real>(std::log(3.0));
  const Tensor q({1, 1, 4}, {1, 1, 1, 1}), k({1, 2, 4}, {0, 0, 0, 0, log3, log3, log3, log3}),
      v({1, 2, 1}, {0, 10});
  CHECK(difference(attend(q, k, v, 1), Tensor({1, 1, 1}, {9})) == "");
}

TEST_CASE("attention: equal keys give the mean of the valid values, as in the textbook's example") {
  // Keys all ones, values 0 … 39 in rows of four, valid lengths 2 and 6.
  const Tensor q = random_tensor({2, 1, 2}, 1), k = Tensor::ones({2, 10, 2});
  std::vector<Real> values = Tensor::arange(40).to_vector();
  values.insert(values.end(), values.begin(), values.begin() + 40);
  const Tensor v({2, 10, 4}, values);
  CHECK(difference(attend(q, k, v, 1, with_lengths(Indices({2}, {2, 6}))),
                   Tensor({2, 1, 4}, {2, 3, 4, 5, 10, 11, 12, 13})) == "");
}

TEST_CASE("attention: each head looks at its own columns") {
  const Real far = 40;
  // Head 0 prefers key 0, head 1 key 1; their values are 1, 2 and 10, 20.
  const Tensor q({1, 1, 2}, {far, far}), k({1, 2, 2}, {1, 0, 0, 1}), v({1, 2, 2}, {1, 10, 2, 20});
  CHECK(difference(attend(q, k, v, 2), Tensor({1, 1, 2}, {1, 20})) == "");
}

TEST_CASE("attention: the causal mask lets a query see itself and what came before") {
  const Tensor same = Tensor::zeros({1, 3, 1}), v({1, 3, 1}, {6, 12, 24});
  CHECK(difference(attend(same, same, v, 1, causal()), Tensor({1, 3, 1}, {6, 9, 14})) == "");
  // Queries that are the last of the keys see all that came before them.
  const Tensor last = Tensor::zeros({1, 2, 1});
  CHECK(difference(attend(last, same, v, 1, causal()), Tensor({1, 2, 1}, {9, 14})) == "");
  // More queries than keys: the first ones see nothing.
  const Tensor many = Tensor::zeros({1, 4, 1});
  CHECK(difference(attend(many, same, v, 1, causal()), Tensor({1, 4, 1}, {0, 6, 9, 14})) == "");
}

TEST_CASE("attention: a causal and a padding mask act together") {
  const Tensor same = Tensor::zeros({1, 3, 1}), v({1, 3, 1}, {6, 12, 24});
  AttentionOptions both = causal();
  both.mask.valid_lengths = Indices({1}, {2});
  CHECK(difference(attend(same, same, v, 1, both), Tensor({1, 3, 1}, {6, 9, 9})) == "");
}

TEST_CASE("attention: a query without a key gets zeros and passes no gradient") {
  const Var q = Var::parameter(random_tensor({2, 1, 2}, 1)), k = Var::parameter(random_tensor({2, 2, 2}, 2)),
            v = Var::parameter(random_tensor({2, 2, 2}, 3));
  const Var y = attention({q}, {k}, {v}, 1, 2, 2, with_lengths(Indices({2}, {2, 0})));
  CHECK(y.value()({1, 0, 0}) == 0);
  CHECK(y.value()({1, 0, 1}) == 0);
  backward(sum(y));
  CHECK(q.grad().rows(1, 2).to_vector() == std::vector<Real>(2, 0));
  CHECK(k.grad().rows(1, 2).to_vector() == std::vector<Real>(4, 0));
  CHECK(v.grad().rows(1, 2).to_vector() == std::vector<Real>(4, 0));
  CHECK(v.grad()({0, 0, 0}) != 0);
}

TEST_CASE("attention: what lies under the mask does not matter, not even if it is no number") {
  const Tensor q = random_tensor({1, 2, 2}, 1);
  Tensor k = random_tensor({1, 3, 2}, 2), v = random_tensor({1, 3, 2}, 3);
  const AttentionOptions options = with_lengths(Indices({1}, {2}));
  const auto outputs_and_gradients = [&] {
    const Var x = Var::parameter(q), y = Var::parameter(k), z = Var::parameter(v);
    const Var out = attention({x}, {y}, {z}, 1, 2, 2, options);
    backward(sum(out * out));
    return std::vector<std::vector<Real>>{out.value().to_vector(), x.grad().to_vector(), y.grad().to_vector(),
                                          z.grad().to_vector()};
  };
  const auto expected = outputs_and_gradients();
  for (Index i = 4; i < 6; ++i)
    k.mutable_data()[i] = v.mutable_data()[i] = std::numeric_limits<Real>::quiet_NaN();
  CHECK((outputs_and_gradients() == expected));
}

// A softmax with a NaN is one throughout, and so is every gradient that its weights have a part in.
TEST_CASE(
    "attention: a key that is no number spoils all gradients of what its query sees, however many keys there "
    "are") {
  for (const Index keys : {5, 300}) {
    const Tensor q = random_tensor({1, 2, 2}, 1);
    Tensor k = random_tensor({1, keys, 2}, 2), v = random_tensor({1, keys, 2}, 3);
    k.mutable_data()[2] = std::numeric_limits<Real>::quiet_NaN();
    for (const double p : {0.0, 0.5}) {
      AttentionOptions options;
      if (p > 0) options.dropout = DropoutMask(p, 5);
      const Var x = Var::parameter(q), y = Var::parameter(k), z = Var::parameter(v);
      backward(sum(attention({x}, {y}, {z}, 1, 2, 2, options)));
      for (const Var* each : {&x, &y, &z})
        CHECK(std::all_of(each->grad().begin(), each->grad().end(), [](Real g) { return std::isnan(g); }));
    }
  }
}

TEST_CASE("attention: the weights it hands out are those that were used, before dropout") {
  const Tensor q = random_tensor({2, 3, 4}, 1), k = random_tensor({2, 5, 4}, 2),
               v = random_tensor({2, 5, 4}, 3);
  Tensor weights;
  AttentionOptions options = with_lengths(Indices({2}, {5, 2}));
  options.weights = &weights;
  const Tensor y = attend(q, k, v, 2, options);
  REQUIRE(weights.shape() == Shape{2, 2, 3, 5});
  CHECK(difference(sum(weights, {3}, Axis::kept), Tensor::ones({2, 2, 3, 1})) == "");
  CHECK(weights({1, 0, 2, 1}) > 0);
  CHECK(weights({1, 0, 2, 2}) == 0);
  for (Index c = 0; c < 2; ++c) {  // the second head of the second sentence: columns 2 and 3
    Real expected = 0;
    for (Index s = 0; s < 5; ++s) expected += weights({1, 1, 0, s}) * v({1, s, 2 + c});
    CHECK(y({1, 0, 2 + c}) == Approx(expected));
  }
  Tensor undropped = weights;
  options.dropout = DropoutMask(0.5, 3);
  attend(q, k, v, 2, options);
  CHECK(weights.to_vector() == undropped.to_vector());
}

TEST_CASE("attention: dropout of the weights is dropout of the weights' table") {
  const Tensor q = random_tensor({2, 3, 2}, 1), k = random_tensor({2, 4, 2}, 2),
               v = random_tensor({2, 4, 2}, 3);
  AttentionOptions options;
  options.dropout = DropoutMask(0.4, 11);
  const Var weights = softmax(matmul(Var(q), Var(k), {false, true}) * Real(1 / std::sqrt(2.0)));
  const Var expected = matmul(dropout(weights, options.dropout), Var(v));
  CHECK(difference(attend(q, k, v, 1, options), expected.value()) == "");
}

TEST_CASE("attention: with more keys than weights are kept for, nothing changes") {
  const Tensor q = random_tensor({1, 100, 6}, 1), k = random_tensor({1, 300, 6}, 2),
               v = random_tensor({1, 300, 4}, 3);
  for (const double p : {0.0, 0.5}) {
    AttentionOptions options = with_lengths(Indices({1}, {250}));
    if (p > 0) options.dropout = DropoutMask(p, 5);
    const Tensor recomputed = attend(q, k, v, 2, options);
    Tensor weights;
    options.weights = &weights;
    CHECK(difference(attend(q, k, v, 2, options), recomputed) == "");
    CHECK(difference(sum(weights, {3}, Axis::kept), Tensor::ones({1, 2, 100, 1})) == "");
  }
}

TEST_CASE("attention: constants get no gradient, the others theirs") {
  const Var q = Var::parameter(random_tensor({1, 2, 2}, 1));
  const Var k = random_tensor({1, 3, 2}, 2), v = random_tensor({1, 3, 2}, 3);
  backward(sum(attention({q}, {k}, {v}, 1, 2, 2)));
  CHECK(q.grad().shape() == Shape{1, 2, 2});
}

TEST_CASE("attention: sources, heads and columns that do not fit are named") {
  const Var q = Tensor::zeros({2, 3, 8}), k = Tensor::zeros({2, 5, 8}), v = Tensor::zeros({2, 5, 4});
  const std::string rule = "attention: q must be [B, T, H·d_k], k [B, S, H·d_k] and v [B, S, H·d_v]: H is ";
  CHECK_THROWS_AS(attention({q}, {k}, {v}, 2, 4, 4), std::invalid_argument);
  CHECK_THROWS_WITH(
      attention({q}, {k}, {v}, 2, 4, 4),
      rule +
          "2, d_k is 4, d_v is 4, q is [2, 3, 8] from column 0, k is [2, 5, 8] from column 0, v is "
          "[2, 5, 4] from column 0");
  CHECK_THROWS_WITH(
      attention({q, 1}, {k}, {v}, 2, 4, 2),
      rule +
          "2, d_k is 4, d_v is 2, q is [2, 3, 8] from column 1, k is [2, 5, 8] from column 0, v is "
          "[2, 5, 4] from column 0");
  CHECK_THROWS_AS(attention({q}, {k}, {v}, 0, 4, 2), std::invalid_argument);
  CHECK_THROWS_AS(attention({q}, {k}, {q}, 2, 4, 4), std::invalid_argument);  // 5 keys, 3 values
  CHECK_THROWS_AS(attention({q}, {Tensor::zeros({1, 5, 8})}, {Tensor::zeros({1, 5, 8})}, 2, 4, 4),
                  std::invalid_argument);
}

TEST_CASE("attention: valid lengths that do not fit are named") {
  const Tensor q = Tensor::zeros({2, 3, 4}), k = Tensor::zeros({2, 5, 4});
  CHECK_THROWS_AS(attend(q, k, k, 1, with_lengths(Indices({3}, {1, 1, 1}))), std::invalid_argument);
  CHECK_THROWS_WITH(attend(q, k, k, 1, with_lengths(Indices({3}, {1, 1, 1}))),
                    "attention: valid lengths must be [B] or [B, T]: B is 2, T is 3, valid lengths are [3]");
  CHECK_THROWS_WITH(attend(q, k, k, 1, with_lengths(Indices({2}, {1, 6}))),
                    "attention: valid lengths must lie in 0 … number of keys: got 6 of 5 keys");
  CHECK_THROWS_WITH(attend(q, k, k, 1, with_lengths(Indices({2}, {1, -1}))),
                    "attention: valid lengths must lie in 0 … number of keys: got -1 of 5 keys");
}

TEST_CASE("attention: inputs that are missing, and widths that fit no head, are refused") {
  const Var x = Tensor::zeros({2, 3, 8});
  const std::string rule = "attention: q must be [B, T, H·d_k], k [B, S, H·d_k] and v [B, S, H·d_v]: H is ";
  CHECK_THROWS_WITH(attention({Var()}, {x}, {x}, 2, 4, 4),
                    rule +
                        "2, d_k is 4, d_v is 4, q is [] from column 0, k is [2, 3, 8] from column 0, v is "
                        "[2, 3, 8] from column 0");
  const Index huge = std::numeric_limits<Index>::max();
  for (const auto& [heads, key_width, value_width] :
       {std::array<Index, 3>{-1, 4, 4}, {2, 0, 4}, {2, -4, 4}, {2, 4, -4}, {2, huge, 4}, {huge, 4, 4}})
    CHECK_THROWS_AS(attention({x}, {x}, {x}, heads, key_width, value_width), std::invalid_argument);
  CHECK_THROWS_AS(attention({x, -1}, {x}, {x}, 1, 4, 4), std::invalid_argument);
  CHECK_THROWS_AS(attention({x, huge}, {x}, {x}, 1, 4, 4), std::invalid_argument);
  CHECK(attention({x}, {x}, {x}, 2, 4, 0).shape() == Shape{2, 3, 0});
}

TEST_CASE("additive_scores and rotate: a missing input is refused under the operation's name") {
  const Var x = Tensor::zeros({2, 3, 4});
  CHECK_THROWS_WITH(
      additive_scores(x, Var(), Tensor::zeros({4})),
      "additive_scores: queries must be [B, T, H], keys [B, S, H] and v [H]: queries are [2, 3, 4], "
      "keys are [], v is [4]");
  CHECK_THROWS_AS(rotate(Var(), {2, 2, 0}), std::invalid_argument);
}

TEST_CASE("attention: a bias that does not fit is named") {
  const Var x = Tensor::zeros({2, 3, 8});
  AttentionOptions options;
  options.bias = Tensor::zeros({2, 6});
  CHECK_THROWS_WITH(
      attention({x}, {x}, {x}, 2, 4, 4, options),
      "attention: the bias must have a number for each head and distance, [H, T + S - 1]: expected "
      "[2, 5], got [2, 6]");
}

TEST_CASE("attention: columns of a source that nobody reads get no gradient, whatever memory held before") {
  const Var x = Var::parameter(Tensor::ones({1, 2, 5}));
  const Var y = attention({x, 0}, {x, 0}, {x, 2}, 1, 2, 2);
  std::vector<Tensor> former(8);
  for (Tensor& each : former) each = Tensor::full({1, 2, 5}, 7);
  former.clear();
  backward(sum(y));
  CHECK(slice(x.grad(), 2, 4, 5).to_vector() == std::vector<Real>{0, 0});
}
