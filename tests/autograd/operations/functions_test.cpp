// Functions element by element: values from closed forms, extremes, and what is not a number.
#include <gradual/autograd/operations.hpp>

#include <cmath>
#include <functional>

#include "support/catch.hpp"
#include "support/tensors.hpp"

using namespace gradual;

namespace {

Tensor mapped(const Tensor& x, const std::function<double(double)>& function) {
  std::vector<Real> result;
  for (const Real value : x) result.push_back(static_cast<Real>(function(static_cast<double>(value))));
  return Tensor(x.shape(), result);
}

void check_values(Var (*ours)(const Var&), const Tensor& x, const std::function<double(double)>& expected) {
  CHECK(difference(ours(x).value(), mapped(x, expected)) == "");
}

double normal_distribution(double x) { return (1 + std::erf(x / std::sqrt(2.0))) / 2; }

}  // namespace

TEST_CASE("functions: values agree with the standard library's") {
  const Tensor x = random_tensor({3, 37}, 1, -5, 5), positive = random_tensor({3, 37}, 2, 0.01, 9);
  check_values(exp, x, [](double v) { return std::exp(v); });
  check_values(tanh, x, [](double v) { return std::tanh(v); });
  check_values(sigmoid, x, [](double v) { return 1 / (1 + std::exp(-v)); });
  check_values(relu, x, [](double v) { return std::max(v, 0.0); });
  check_values(gelu, x, [](double v) { return v * normal_distribution(v); });
  check_values([](const Var& v) { return pow(v, 3); }, x, [](double v) { return v * v * v; });
  check_values([](const Var& v) { return pow(v, 2); }, x, [](double v) { return v * v; });
  check_values(log, positive, [](double v) { return std::log(v); });
  check_values(sqrt, positive, [](double v) { return std::sqrt(v); });
  check_values([](const Var& v) { return pow(v, Real(-0.5)); }, positive,
               [](double v) { return 1 / std::sqrt(v); });
}

TEST_CASE("functions: values that are known by heart") {
  const Var x = Tensor({3}, {-1, 0, 1});
  CHECK(difference(exp(x).value(), Tensor({3}, {Real(0.367879441171442), 1, Real(2.718281828459045)})) == "");
  CHECK(difference(tanh(x).value(), Tensor({3}, {Real(-0.761594155955765), 0, Real(0.761594155955765)})) ==
        "");
  CHECK(difference(sigmoid(x).value(),
                   Tensor({3}, {Real(0.268941421369995), Real(0.5), Real(0.731058578630005)})) == "");
  CHECK(difference(gelu(x).value(), Tensor({3}, {Real(-0.158655253931457), 0, Real(0.841344746068543)})) ==
        "");
  CHECK(relu(x).value().to_vector() == std::vector<Real>{0, 0, 1});
}

TEST_CASE("functions: far from zero they reach their limits without overflowing on the way") {
  const Var x = Tensor({4}, {-1000, -50, 50, 1000});
  CHECK(exp(x).value().to_vector()[0] == 0);
  CHECK(exp(x).value().to_vector()[3] == infinity);
  CHECK(difference(tanh(x).value(), Tensor({4}, {-1, -1, 1, 1})) == "");
  CHECK(difference(sigmoid(x).value(), Tensor({4}, {0, 0, 1, 1})) == "");
  CHECK(difference(gelu(x).value(), Tensor({4}, {0, 0, 50, 1000})) == "");
  CHECK(log(Var(Tensor::scalar(0))).value().item() == -infinity);
}

TEST_CASE("functions: gradients far from zero are numbers") {
  const auto gradient = [](Var (*function)(const Var&)) {
    const Var x = Var::parameter(Tensor({4}, {-1000, -50, 50, 1000}));
    backward(sum(function(x)));
    return x.grad();
  };
  CHECK(difference(gradient(tanh), Tensor::zeros({4})) == "");
  CHECK(difference(gradient(relu), Tensor({4}, {0, 0, 1, 1})) == "");
  CHECK(difference(gradient(gelu), Tensor({4}, {0, 0, 1, 1})) == "");
  for (const Real slope : gradient(sigmoid)) CHECK(std::abs(slope) < 1e-20);
}

TEST_CASE("functions: what is not a number stays visible") {
  const Var x = Tensor({2}, {std::nanf(""), 1});
  const std::vector<Var (*)(const Var&)> all{exp, log, sqrt, tanh, sigmoid, relu, gelu};
  for (const auto function : all) {
    const std::vector<Real> y = function(x).value().to_vector();
    CHECK(std::isnan(y[0]));
    CHECK_FALSE(std::isnan(y[1]));
  }
}

TEST_CASE("relu: the slope at 0 is 0") {
  const Var x = Var::parameter(Tensor({3}, {-1, 0, 2}));
  backward(sum(relu(x)));
  CHECK(x.grad().to_vector() == std::vector<Real>{0, 0, 1});
}

TEST_CASE("pow: the gradient of a square and of a root by hand") {
  const Var x = Var::parameter(Tensor({2}, {3, 4}));
  backward(sum(pow(x, 2)));
  CHECK(x.grad().to_vector() == std::vector<Real>{6, 8});
  const Var z = Var::parameter(Tensor({1}, {4}));
  backward(pow(z, Real(0.5)));
  CHECK(difference(z.grad(), Tensor({1}, {Real(0.25)})) == "");
}

TEST_CASE("pow: x⁰ is 1 and its slope 0, at 0 and of what is not a number, too") {
  const Var x = Var::parameter(Tensor({4}, {0, -2, infinity, std::nanf("")}));
  const Var y = pow(x, 0);
  CHECK(y.value().to_vector() == std::vector<Real>{1, 1, 1, 1});
  backward(sum(y));
  CHECK(x.grad().to_vector() == std::vector<Real>{0, 0, 0, 0});
}

TEST_CASE("where: takes a where the condition is not 0, and gives each its own gradient") {
  const Tensor condition({4}, {1, 0, 0, -2});
  const Var a = Var::parameter(Tensor({4}, {1, 2, 3, 4})), b = Var::parameter(Tensor({4}, {5, 6, 7, 8}));
  const Var y = where(condition, a, b);
  CHECK(y.value().to_vector() == std::vector<Real>{1, 6, 7, 4});
  backward(y, Tensor({4}, {10, 20, 30, 40}));
  CHECK(a.grad().to_vector() == std::vector<Real>{10, 0, 0, 40});
  CHECK(b.grad().to_vector() == std::vector<Real>{0, 20, 30, 0});
}

TEST_CASE("where: an infinite branch that is not taken spoils no gradient") {
  const Tensor x({2}, {0, 4});
  const Tensor is_positive({2}, {0, 1});
  const Var p = Var::parameter(x);
  backward(sum(where(is_positive, p * p, Var(Tensor::full({2}, infinity)))), Graph::release);
  CHECK(p.grad().to_vector() == std::vector<Real>{0, 8});
}

TEST_CASE("where: shapes must fit") {
  const Var a = Tensor::zeros({2}), b = Tensor::zeros({3});
  CHECK_THROWS_AS(where(Tensor::zeros({2}), a, b), std::invalid_argument);
  CHECK_THROWS_WITH(
      where(Tensor::zeros({2}), a, b),
      "where: shapes must be equal or 1 along each axis, counted from the last: a is [2], b is [3]");
}

TEST_CASE("dropout: what is kept is scaled by 1/(1 - p), the rest is 0, and the gradient likewise") {
  constexpr Index count = 100'000;
  const Var x = Var::parameter(Tensor::full({count}, 3));
  const Var y = dropout(x, DropoutMask(0.25, 42));
  Index dropped = 0;
  for (const Real value : y.value()) {
    if (value == 0)
      ++dropped;
    else
      CHECK(value == Approx(4));
  }
  CHECK(std::abs(static_cast<double>(dropped) / count - 0.25) < 0.007);  // five standard deviations
  backward(y, Tensor::full({count}, 6));
  for (Index i = 0; i < count; ++i) REQUIRE(x.grad().data()[i] == 2 * y.value().data()[i]);
}

TEST_CASE("dropout: without a probability the variable itself comes back") {
  const Var x = Var::parameter(Tensor::ones({2}));
  CHECK(dropout(x, {}).is_same_as(x));
  CHECK(dropout(x, DropoutMask(0, 1)).is_same_as(x));
}

TEST_CASE("dropout: the key decides the mask") {
  const Var x = Tensor::ones({1000});
  const auto y = [&](std::uint32_t key) { return dropout(x, DropoutMask(0.5, key)).value().to_vector(); };
  CHECK((y(1) == y(1)));
  CHECK_FALSE((y(1) == y(2)));
}

TEST_CASE("dropout: fused with an addition or a relu it drops the same elements") {
  const Var x = random_tensor({500}, 1), y = random_tensor({500}, 2);
  const DropoutMask mask(0.3, 9);
  CHECK(difference(add_dropped(x, y, mask).value(), (x + dropout(y, mask)).value()) == "");
  CHECK(difference(relu_dropped(y, mask).value(), dropout(relu(y), mask).value()) == "");
  CHECK_THROWS_WITH(add_dropped(x, Tensor::zeros({3}), mask), "add_dropped: y must be [500]: it is [3]");
}

TEST_CASE("dropout: a probability outside [0, 1) is refused") {
  CHECK_THROWS_AS(DropoutMask(1, 0), std::invalid_argument);
  CHECK_THROWS_WITH(DropoutMask(-0.5, 0), "dropout: the probability must lie in [0, 1): got -0.5");
  CHECK_THROWS_AS(DropoutMask(std::nan(""), 0), std::invalid_argument);
}

TEST_CASE("maximum and minimum: equal numbers share the gradient, and what is not a number wins") {
  const Real nan = std::nanf("");
  const Var a = Var::parameter(Tensor({4}, {1, 2, nan, 3})), b = Var::parameter(Tensor({4}, {1, 3, 0, nan}));
  const std::vector<Real> larger = maximum(a, b).value().to_vector(),
                          smaller = minimum(a, b).value().to_vector();
  CHECK((larger[0] == 1 && larger[1] == 3 && std::isnan(larger[2]) && std::isnan(larger[3])));
  CHECK((smaller[0] == 1 && smaller[1] == 2 && std::isnan(smaller[2]) && std::isnan(smaller[3])));
  backward(sum(slice(maximum(a, b), 0, 0, 2)));
  CHECK(a.grad().rows(0, 2).to_vector() == std::vector<Real>{Real(0.5), 0});
  CHECK(b.grad().rows(0, 2).to_vector() == std::vector<Real>{Real(0.5), 1});
  Var(a).zero_grad();
  Var(b).zero_grad();
  backward(sum(slice(minimum(a, b), 0, 0, 2)));
  CHECK(a.grad().rows(0, 2).to_vector() == std::vector<Real>{Real(0.5), 1});
  CHECK(b.grad().rows(0, 2).to_vector() == std::vector<Real>{Real(0.5), 0});
}
