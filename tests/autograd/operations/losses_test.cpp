// Cross-entropy: values by hand, ignored targets, label smoothing, and the texts of errors.
#include <gradual/autograd/operations.hpp>

#include <cmath>

#include "support/catch.hpp"
#include "support/tensors.hpp"

using namespace gradual;

namespace {

const double log2 = std::log(2.0), log5 = std::log(5.0);

// Logits of two rows; the softmax of each is 1/8, 2/8, 5/8.
const Tensor logits({2, 3}, {0, Real(log2), Real(log5), 7, Real(log2 + 7), Real(log5 + 7)});

Tensor scalar(double value) { return Tensor::scalar(static_cast<Real>(value)); }

}  // namespace

TEST_CASE("cross_entropy: the mean of -log p of the targets, and p - q as its gradient") {
  const Var x = Var::parameter(logits);
  const Var loss = cross_entropy(x, Indices({2}, {2, 0}));
  CHECK(loss.shape() == Shape{});
  CHECK(difference(loss.value(), scalar(-(std::log(0.625) + std::log(0.125)) / 2)) == "");
  backward(loss);
  CHECK(difference(x.grad(), Tensor({2, 3}, {0.0625, 0.125, -0.1875, -0.4375, 0.125, 0.3125})) == "");
}

TEST_CASE("cross_entropy: label smoothing spreads its share over all classes") {
  const Var x = Var::parameter(logits);
  const Var loss = cross_entropy(x, Indices({2}, {2, 2}), {-1, 0.3});  // q = 0.1, 0.1, 0.8
  const double expected = -(0.1 * std::log(0.125) + 0.1 * std::log(0.25) + 0.8 * std::log(0.625));
  CHECK(difference(loss.value(), scalar(expected)) == "");
  backward(loss);
  CHECK(difference(x.grad(), Tensor({2, 3}, {Real(0.0125), Real(0.075), Real(-0.0875),  // (p - q)/2
                                             Real(0.0125), Real(0.075), Real(-0.0875)})) == "");
}

TEST_CASE("cross_entropy: ignored targets count nothing, in the mean either") {
  const Var x = Var::parameter(logits);
  const Var loss = cross_entropy(x, Indices({2}, {0, 2}), {0, 0});
  CHECK(difference(loss.value(), scalar(-std::log(0.625))) == "");
  backward(loss);
  CHECK(difference(x.grad(), Tensor({2, 3}, {0, 0, 0, 0.125, 0.25, -0.375})) == "");
}

TEST_CASE("cross_entropy: where all targets are ignored, loss and gradient are 0") {
  const Var x = Var::parameter(logits);
  const Var loss = cross_entropy(x, Indices({2}, {-1, -1}), {-1, 0.1});
  CHECK(loss.value().item() == 0);
  backward(loss);
  CHECK(x.grad().to_vector() == std::vector<Real>(6, 0));
}

TEST_CASE("cross_entropy: the gradient is multiplied by that of the loss") {
  const Var x = Var::parameter(logits);
  backward(cross_entropy(x, Indices({2}, {2, 0})) * Real(16));
  CHECK(difference(x.grad(), Tensor({2, 3}, {1, 2, -3, -7, 2, 5})) == "");
}

TEST_CASE("cross_entropy: logits of any size give a finite loss") {
  const Var x = Tensor({1, 2}, {10000, -10000});
  CHECK(difference(cross_entropy(x, Indices({1}, {1})).value(), scalar(20000)) == "");
  CHECK(cross_entropy(x, Indices({1}, {0})).value().item() == 0);
}

TEST_CASE("cross_entropy: the logits are not changed") {
  const Var x = Var::parameter(logits);
  cross_entropy(x, Indices({2}, {2, 0}));
  CHECK(x.value().to_vector() == logits.to_vector());
}

TEST_CASE("cross_entropy: any number of leading axes, down to a single row") {
  const Var x = Var(logits.with_shape({1, 2, 3}));
  const double expected = -(std::log(0.625) + std::log(0.125)) / 2;
  CHECK(difference(cross_entropy(x, Indices({1, 2}, {2, 0})).value(), scalar(expected)) == "");
  CHECK(difference(cross_entropy(Var(logits.rows(0, 1).with_shape({3})), Indices(Shape{}, {2})).value(),
                   scalar(-std::log(0.625))) == "");
}

TEST_CASE("linear_cross_entropy: is the cross-entropy of x·Wᵀ, over one block of rows or several") {
  // 64 rows of 40,000 classes make a block: 150 rows need three.
  for (const auto& [rows, classes] : std::vector<std::pair<Index, Index>>{{6, 5}, {150, 40'000}}) {
    INFO(rows << " rows, " << classes << " classes");
    const Var x = Var::parameter(random_tensor({rows, 4}, 1)),
              w = Var::parameter(random_tensor({classes, 4}, 2));
    const Var x2 = Var::parameter(x.value()), w2 = Var::parameter(w.value());
    std::vector<std::int32_t> targets;
    for (Index i = 0; i < rows; ++i) targets.push_back(static_cast<std::int32_t>(i % 5));
    const Indices wanted({rows}, targets);
    const CrossEntropyOptions options{3, 0.1};
    const Var fused = linear_cross_entropy(x, w, wanted, options);
    const Var plain = cross_entropy(linear(x2, w2), wanted, options);
    CHECK(difference(fused.value(), plain.value()) == "");
    backward(fused * Real(2));
    backward(plain * Real(2));
    CHECK(difference(x.grad(), x2.grad()) == "");
    CHECK(difference(w.grad(), w2.grad()) == "");
  }
}

TEST_CASE("linear_cross_entropy: with one input constant the other gets its gradient") {
  const Tensor x = random_tensor({4, 3}, 1), w = random_tensor({5, 3}, 2);
  const Indices targets({4}, {0, 1, 2, 3});
  const Var both_x = Var::parameter(x), both_w = Var::parameter(w), only_x = Var::parameter(x),
            only_w = Var::parameter(w);
  backward(linear_cross_entropy(both_x, both_w, targets));
  backward(linear_cross_entropy(only_x, Var(w), targets));
  backward(linear_cross_entropy(Var(x), only_w, targets));
  CHECK(difference(only_x.grad(), both_x.grad()) == "");
  CHECK(difference(only_w.grad(), both_w.grad()) == "");
}

TEST_CASE("linear_cross_entropy: as its own embedding, a table gets both gradients") {
  const Var table = Var::parameter(random_tensor({4, 3}, 1));
  const Indices ids({2}, {0, 2}), next({2}, {1, 3});
  backward(linear_cross_entropy(embedding(ids, table), table, next));
  const Var input = Var::parameter(table.value()), output = Var::parameter(table.value());
  backward(linear_cross_entropy(embedding(ids, input), output, next));
  CHECK(difference(table.grad(), (Var(input.grad()) + Var(output.grad())).value()) == "");
}

TEST_CASE("cross_entropy: targets, shapes and smoothing that do not fit are named") {
  const Var x = logits;
  const auto loss = [&](const Indices& targets, const CrossEntropyOptions& options = {}) {
    return cross_entropy(x, targets, options);
  };
  CHECK_THROWS_AS(loss(Indices({2}, {0, 3})), std::invalid_argument);
  CHECK_THROWS_WITH(loss(Indices({2}, {0, 3})), "cross_entropy: targets must lie in 0 … 2: got 3");
  CHECK_THROWS_WITH(loss(Indices({2}, {-2, 0})), "cross_entropy: targets must lie in 0 … 2: got -2");
  CHECK_THROWS_WITH(loss(Indices({3}, {0, 0, 0})),
                    "cross_entropy: there must be one target for each row: rows are [2], targets are [3]");
  CHECK_THROWS_WITH(loss(Indices({2}, {0, 0}), {-1, 1}),
                    "cross_entropy: label smoothing must lie in [0, 1): got 1");
  CHECK_THROWS_WITH(loss(Indices({2}, {0, 0}), {-1, -0.1}),
                    "cross_entropy: label smoothing must lie in [0, 1): got -0.1");
  CHECK_THROWS_WITH(cross_entropy(Var(Tensor(Shape{2, 0})), Indices({2}, {0, 0})),
                    "cross_entropy: logits must be [..., V] with at least one class: they are [2, 0]");
}

TEST_CASE("linear_cross_entropy: shapes that do not fit are named") {
  const Var x = Tensor::zeros({2, 3}), w = Tensor::zeros({4, 5});
  CHECK_THROWS_AS(linear_cross_entropy(x, w, Indices({2}, {0, 0})), std::invalid_argument);
  CHECK_THROWS_WITH(
      linear_cross_entropy(x, w, Indices({2}, {0, 0})),
      "linear_cross_entropy: x must be [..., D] and the weight [V, D]: x is [2, 3], weight is [4, 5]");
  CHECK_THROWS_WITH(
      linear_cross_entropy(x, Var(Tensor::zeros({4, 3})), Indices({3}, {0, 0, 0})),
      "linear_cross_entropy: there must be one target for each row: rows are [2], targets are [3]");
  CHECK_THROWS_WITH(linear_cross_entropy(x, Var(Tensor::zeros({4, 3})), Indices({2}, {0, 4})),
                    "linear_cross_entropy: targets must lie in 0 … 3: got 4");
}
