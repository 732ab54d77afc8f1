// The checker in the library's own precision: in float it finds coarse errors only.
#include <gradual/autograd/gradient_check.hpp>

#include <gradual/autograd/operations.hpp>

#include "support/catch.hpp"
#include "support/tensors.hpp"

using namespace gradual;

TEST_CASE("gradient check: works in float, where an error of 3 per cent is found") {
  const Var x = Var::parameter(random_tensor({20}, 1));
  const auto loss_with_slope = [&](Real slope) {
    return [x, slope] {
      const Tensor dx = exp(x.value()) * slope;
      const Var y = record("exp", exp(x.value()), {{x, [dx](const Tensor& dy) { return dy * dx; }}});
      return weighted_sum(y);
    };
  };
  CHECK(check_gradients(loss_with_slope(1), {{"x", x}}));
  const GradientCheck check = check_gradients(loss_with_slope(Real(1.03)), {{"x", x}});
  CHECK_FALSE(check);
  CHECK(check.different == 20);
}

TEST_CASE("gradient check: a network of products, gelu, layer norm and softmax passes in float") {
  const Var x = random_tensor({5, 6}, 1);
  const Var w1 = Var::parameter(random_tensor({8, 6}, 2)), b1 = Var::parameter(random_tensor({8}, 3));
  const Var gain = Var::parameter(random_tensor({8}, 4)), bias = Var::parameter(random_tensor({8}, 5));
  const Indices targets({5}, {0, 7, 3, 1, 2});
  const auto loss = [&] { return cross_entropy(layer_norm(gelu(linear(x, w1, b1)), gain, bias), targets); };
  CHECK(check_gradients(loss, {{"w1", w1}, {"b1", b1}, {"gain", gain}, {"bias", bias}}));
}

TEST_CASE(
    "gradient check: where the widest step leaves what a function is defined for, narrower ones decide") {
  const Var x = Var::parameter(Tensor({1}, {Real(0.05)}));
  CHECK(check_gradients([&] { return sum(log(x)); }, {{"x", x}}));
  CHECK(check_gradients([&] { return sum(sqrt(x)); }, {{"x", x}}));
  const auto wrong = [&] {
    return record("log", log(x.value()), {{x, [](const Tensor& dy) { return dy * 10; }}});
  };
  const GradientCheck check = check_gradients(wrong, {{"x", x}});
  CHECK_FALSE(check);
  CHECK(check.worst.difference == Approx(20).epsilon(0.01));
}
