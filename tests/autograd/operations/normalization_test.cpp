// Softmax, its relatives, and layer norm: values by hand, edges, and the texts of errors.
#include <gradual/autograd/operations.hpp>

#include <cmath>

#include "support/catch.hpp"
#include "support/tensors.hpp"

using namespace gradual;

namespace {

// Scores whose softmax is 1/8, 2/8, 5/8.
const Tensor scores({3}, {0, Real(std::log(2.0)), Real(std::log(5.0))});

}  // namespace

TEST_CASE("softmax: scores that are logarithms give their shares") {
  CHECK(difference(softmax(Var(scores)).value(), Tensor({3}, {0.125, 0.25, 0.625})) == "");
  CHECK(difference(log_softmax(Var(scores)).value(),
                   Tensor({3}, {Real(std::log(0.125)), Real(std::log(0.25)), Real(std::log(0.625))})) == "");
}

TEST_CASE("softmax: each row sums to 1, and adding a number to all scores changes nothing") {
  const Tensor x = random_tensor({4, 33}, 1, -20, 20);
  const Var y = softmax(Var(x));
  CHECK(difference(sum(y, {1}).value(), Tensor::ones({4})) == "");
  CHECK(difference(softmax(Var(x) + Real(64)).value(), y.value(), 1e-5) == "");
}

TEST_CASE("softmax: scores of any size neither overflow nor vanish") {
  CHECK(difference(softmax(Var(Tensor({2}, {10000, 10000}))).value(), Tensor({2}, {0.5, 0.5})) == "");
  CHECK(difference(softmax(Var(Tensor({2}, {-10000, -10000}))).value(), Tensor({2}, {0.5, 0.5})) == "");
  CHECK(difference(softmax(Var(Tensor({2}, {-10000, 10000}))).value(), Tensor({2}, {0, 1})) == "");
  CHECK(difference(log_softmax(Var(Tensor({2}, {0, 10000}))).value(), Tensor({2}, {-10000, 0})) == "");
}

TEST_CASE("softmax: a score of -infinity gets no weight and passes no gradient") {
  const Var x = Var::parameter(Tensor({3}, {0, -infinity, 0}));
  const Var y = softmax(x);
  CHECK(y.value().to_vector() == std::vector<Real>{0.5, 0, 0.5});
  backward(y, Tensor({3}, {1, 2, 3}));  // y_i·(dy_i - Σ y·dy) with Σ y·dy = 2
  CHECK(x.grad().to_vector() == std::vector<Real>{-0.5, 0, 0.5});
}

TEST_CASE("softmax: the gradient by hand") {
  const Var x = Var::parameter(scores);
  backward(softmax(x), Tensor({3}, {8, 0, 0}));  // Σ y·dy = 1
  CHECK(difference(x.grad(), Tensor({3}, {0.875, -0.25, -0.625})) == "");
}

TEST_CASE("softmax: what is not a number stays visible") {
  const Real nan = std::nanf("");
  for (const std::vector<Real>& row : {std::vector<Real>{nan, 1}, {1, nan}, {nan, nan}}) {
    CHECK(std::isnan(softmax(Var(Tensor({2}, row))).value().data()[0]));
    CHECK(std::isnan(log_softmax(Var(Tensor({2}, row))).value().data()[0]));
    CHECK(std::isnan(masked_softmax(Var(Tensor({1, 2}, row)), Indices({1}, {2})).value().data()[0]));
  }
}

TEST_CASE("masked_softmax: only the first valid elements of a row share the weight") {
  const Var x = Tensor({2, 3}, {scores.data()[0], scores.data()[1], 9, 1, 2, 3});
  const Var y = masked_softmax(x, Indices({2}, {2, 1}));
  CHECK(difference(y.value(), Tensor({2, 3}, {Real(1) / 3, Real(2) / 3, 0, 1, 0, 0})) == "");
  CHECK(y.value()({0, 2}) == 0);  // exactly
  CHECK(difference(masked_softmax(x, Indices({2}, {3, 3})).value(), softmax(x).value()) == "");
}

TEST_CASE("masked_softmax: lengths for each sentence hold for all its rows, lengths for each query for one") {
  const Var x = Tensor::zeros({2, 2, 2});
  CHECK(masked_softmax(x, Indices({2}, {1, 2})).value().to_vector() ==
        std::vector<Real>{1, 0, 1, 0, 0.5, 0.5, 0.5, 0.5});
  CHECK(masked_softmax(x, Indices({2, 2}, {1, 2, 2, 1})).value().to_vector() ==
        std::vector<Real>{1, 0, 0.5, 0.5, 0.5, 0.5, 1, 0});
}

TEST_CASE("masked_softmax: a row of valid length 0 is all zeros and passes no gradient") {
  const Var x = Var::parameter(Tensor({2, 2}, {1, 2, 3, 4}));
  const Var y = masked_softmax(x, Indices({2}, {0, 1}));
  CHECK(y.value().to_vector() == std::vector<Real>{0, 0, 1, 0});
  backward(y, Tensor({2, 2}, {5, 6, 7, 8}));
  CHECK(x.grad().to_vector() == std::vector<Real>{0, 0, 0, 0});
}

TEST_CASE("masked_softmax: what lies under the mask does not matter, not even if it is no number") {
  const Var x = Var::parameter(Tensor({1, 3}, {0, 0, std::nanf("")}));
  const Var y = masked_softmax(x, Indices({1}, {2}));
  CHECK(y.value().to_vector() == std::vector<Real>{0.5, 0.5, 0});
  backward(y, Tensor({1, 3}, {1, 3, 5}));
  CHECK(x.grad().to_vector() == std::vector<Real>{-0.5, 0.5, 0});
}

TEST_CASE("masked_softmax: lengths that do not fit the scores are refused") {
  const Var x = Tensor::zeros({2, 3, 4});
  CHECK_THROWS_AS(masked_softmax(x, Indices({2}, {1, 5})), std::invalid_argument);
  CHECK_THROWS_WITH(masked_softmax(x, Indices({2}, {1, 5})),
                    "masked_softmax: valid lengths must lie in 0 … number of keys: got 5 of 4 keys");
  CHECK_THROWS_WITH(masked_softmax(x, Indices({2}, {-1, 4})),
                    "masked_softmax: valid lengths must lie in 0 … number of keys: got -1 of 4 keys");
  const std::string rule =
      "masked_softmax: valid lengths must have the first axes of the scores, such as [B] or [B, T]: scores "
      "are "
      "[2, 3, 4], valid lengths are ";
  CHECK_THROWS_WITH(masked_softmax(x, Indices({3}, {1, 1, 1})), rule + "[3]");
  CHECK_THROWS_WITH(masked_softmax(x, Indices({2, 2}, {1, 1, 1, 1})), rule + "[2, 2]");
  CHECK_THROWS_WITH(masked_softmax(x, Indices(Shape{}, {1})), rule + "[]");
}

TEST_CASE("softmax: a single number has no axis to go along") {
  const Var x = Tensor::scalar(1);
  CHECK_THROWS_AS(softmax(x), std::invalid_argument);
  CHECK_THROWS_WITH(softmax(x), "softmax: x must have at least one axis: x is []");
  CHECK_THROWS_WITH(log_softmax(x), "log_softmax: x must have at least one axis: x is []");
}

TEST_CASE("layer_norm: by hand, with a gain and a bias") {
  const Var x = Tensor({2, 4}, {1, 2, 3, 4, 40, 30, 20, 10});  // (x - mean)/deviation = -3, -1, 1, 3 over √5
  const Var gain = Tensor({4}, {1, 1, 2, 2}), bias = Tensor({4}, {0, 10, 0, 10});
  const double unit = 1 / std::sqrt(5.0);
  const auto at = [&](double multiple, double shift) { return static_cast<Real>(multiple * unit + shift); };
  CHECK(difference(layer_norm(x, gain, bias, 0).value(),
                   Tensor({2, 4}, {at(-3, 0), at(-1, 10), at(2, 0), at(6, 10),  //
                                   at(3, 0), at(1, 10), at(-2, 0), at(-6, 10)})) == "");
}

TEST_CASE("layer_norm: ε is added to the variance, and a constant row gives the bias") {
  const Var ones = Tensor::ones({2}), zeros = Tensor::zeros({2});
  const Var x = Tensor({1, 2}, {-1, 1});  // variance 1
  CHECK(difference(layer_norm(x, ones, zeros, 3).value(), Tensor({1, 2}, {-0.5, 0.5})) == "");
  const Var bias = Tensor({2}, {3, 4});
  CHECK(layer_norm(Var(Tensor({1, 2}, {7, 7})), ones, bias).value().to_vector() == std::vector<Real>{3, 4});
}

TEST_CASE("layer_norm: rows far from zero keep their digits") {
  const Var x = Tensor({1, 4}, {10001, 10002, 10003, 10004});
  const double unit = 1 / std::sqrt(5.0);
  CHECK(difference(layer_norm(x, Var(Tensor::ones({4})), Var(Tensor::zeros({4})), 0).value(),
                   Tensor({1, 4}, {Real(-3 * unit), Real(-unit), Real(unit), Real(3 * unit)})) == "");
}

TEST_CASE("layer_norm: gradients of gain and bias by hand, and x gets none along itself") {
  const Var x = Var::parameter(Tensor({2, 2}, {-1, 1, 1, -1}));
  const Var gain = Var::parameter(Tensor({2}, {5, 5})), bias = Var::parameter(Tensor({2}, {0, 0}));
  backward(layer_norm(x, gain, bias, 0), Tensor({2, 2}, {1, 2, 3, 4}));
  CHECK(difference(gain.grad(), Tensor({2}, {2, -2})) == "");  // Σ dy·x̂ = -1 + 3, 2 - 4
  CHECK(difference(bias.grad(), Tensor({2}, {4, 6})) == "");
  // Two elements are always normalized to -1 and 1: no change of x changes them.
  for (const Real each : x.grad()) CHECK(std::abs(each) < 1e-5);
}

TEST_CASE("layer_norm: a constant input gets no gradient, gain and bias get theirs") {
  const Var x = Tensor({1, 2}, {-1, 1});
  const Var gain = Var::parameter(Tensor::ones({2})), bias = Var::parameter(Tensor::zeros({2}));
  backward(layer_norm(x, gain, bias, 0), Tensor({1, 2}, {1, 2}));
  CHECK(difference(gain.grad(), Tensor({2}, {-1, 2})) == "");
  CHECK(difference(bias.grad(), Tensor({2}, {1, 2})) == "");
}

TEST_CASE("layer_norm: gain and bias must have the size of the last axis") {
  const Var x = Tensor::zeros({2, 3}), right = Tensor::zeros({3}), wrong = Tensor::zeros({2});
  CHECK_THROWS_WITH(layer_norm(x, wrong, right),
                    "layer_norm: the gain must have the size of the last axis: x is [2, 3], gain is [2]");
  CHECK_THROWS_WITH(layer_norm(x, right, wrong), "layer_norm: the bias must be [3]: it is [2]");
  CHECK_THROWS_WITH(rms_norm(x, wrong),
                    "rms_norm: the gain must have the size of the last axis: x is [2, 3], gain is [2]");
}

TEST_CASE("rms_norm: a gradient that is there already is added to, a constant gets none") {
  const Var x = Var::parameter(random_tensor({2, 5}, 1)), gain = Var::parameter(random_tensor({5}, 2));
  backward(sum(rms_norm(x, gain)));
  const Tensor once = x.grad(), gain_once = gain.grad();
  backward(sum(x) + sum(rms_norm(x, gain)));
  CHECK(difference(x.grad(), once + once + Tensor::ones({2, 5})) == "");
  CHECK(difference(gain.grad(), gain_once + gain_once) == "");
  const Var constant = x.detached();
  const Var other = Var::parameter(random_tensor({5}, 2));
  backward(sum(rms_norm(constant, other)));
  CHECK(difference(other.grad(), gain_once) == "");
}
