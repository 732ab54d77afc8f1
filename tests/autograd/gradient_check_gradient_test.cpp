// The checker checked: it must find wrong gradients and pass right ones.
#include <gradual/autograd/gradient_check.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <gradual/autograd/operations.hpp>
#include <gradual/core/random.hpp>

#include "support/catch.hpp"

using namespace gradual;

namespace {

Var parameter(const Shape& shape, std::vector<Real> values) { return Var::parameter(Tensor(shape, values)); }

// 2x, with any derivative that one cares to claim.
Var twice(const Var& x, Real claimed) {
  return record("twice", x.value() * 2, {{x, [=](const Tensor& dy) { return dy * claimed; }}});
}

// Σ x, whose derivative is right but for one element.
Var sum_with_wrong_element(const Var& x, Index element, Real claimed) {
  return record("wrong_sum", sum(x.value(), {}).with_shape({}),
                {{x, [=, shape = x.shape()](const Tensor& dy) {
                    Tensor dx = Tensor::full(shape, dy.item());
                    dx.mutable_data()[element] = claimed;
                    return dx;
                  }}});
}

GradientCheck check_twice(Real claimed) {
  const Var x = parameter({3}, {0.3, -2, 50});
  return check_gradients([=] { return sum(twice(x, claimed)); }, {{"x", x}});
}

}  // namespace

TEST_CASE("gradient check: a derivative of 2 for 2x passes") {
  const GradientCheck check = check_twice(2);
  CHECK(check);
  CHECK(check.checked == 3);
  CHECK(check.different == 0);
  CHECK(check.tolerance == 1e-6);
  CHECK(check.worst.relative_error < 1e-10);
}

TEST_CASE("gradient check: a derivative of 2.001 for 2x fails") {
  const GradientCheck check = check_twice(2.001);
  CHECK_FALSE(check);
  CHECK(check.different == 3);
  CHECK(check.worst.gradient == 2.001);
  CHECK(check.worst.difference == Approx(2).epsilon(1e-10));
  CHECK(check.worst.relative_error == Approx(0.001 / 2.001).epsilon(1e-6));
}

TEST_CASE("gradient check: errors just beyond and just within the tolerance fail and pass") {
  CHECK_FALSE(check_twice(2 * (1 + 1.01e-6)));
  CHECK(check_twice(2 * (1 + 0.99e-6)));
}

TEST_CASE("gradient check: a sign that is wrong, and a derivative of 0, fail") {
  CHECK_FALSE(check_twice(-2));
  CHECK_FALSE(check_twice(0));
}

TEST_CASE("gradient check: a gradient that is not a number fails") {
  const GradientCheck check = check_twice(std::numeric_limits<Real>::quiet_NaN());
  CHECK_FALSE(check);
  CHECK(check.different == 3);
  CHECK(std::isinf(check.worst.relative_error));
}

TEST_CASE("gradient check: the worst element is named with its place and both values") {
  const Var bias = parameter({2}, {0, 0});
  const Var weight = parameter({4, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  const GradientCheck check = check_gradients(
      [=] { return sum_with_wrong_element(bias, 1, 1.1) + sum_with_wrong_element(weight, 6, 1.5); },
      {{"bias", bias}, {"layer.weight", weight}});
  CHECK_FALSE(check);
  CHECK(check.checked == 10);
  CHECK(check.different == 2);
  CHECK(check.worst.parameter == "layer.weight");
  CHECK(check.worst.position == std::vector<Index>{3, 0});
  CHECK(check.worst.gradient == 1.5);
  CHECK(check.worst.difference == Approx(1).epsilon(1e-9));
  CHECK_THAT(check.to_string(), Contains("2 of 10 gradients are wrong; worst: layer.weight[3, 0]: backward "
                                         "gives 1.5, differences give "));
  CHECK_THAT(check.to_string(), Contains("(tolerance 1e-06)"));
  CHECK(text(check) == check.to_string());
}

TEST_CASE("gradient check: of elements that are equally wrong the first is the worst") {
  // A gradient of 0 is apart from any other by the whole of it: a relative error of 1.
  const Var x = parameter({3}, {0.3, -2, 50});
  const Var y = parameter({2}, {1, 2});
  const GradientCheck check =
      check_gradients([=] { return sum(twice(x, 0)) + sum(twice(y, 0)); }, {{"x", x}, {"y", y}});
  CHECK(check.different == 5);
  CHECK(check.worst.relative_error == 1);
  CHECK(check.worst.parameter == "x");
  CHECK(check.worst.position == std::vector<Index>{0});
}

TEST_CASE("gradient check: a wrong element is measured with ever smaller steps, none wider than the first") {
  const Var x = parameter({}, {0.5});
  std::vector<double> moves;  // by which x is moved, in their order, where it is
  const auto loss = [&] {
    const double move = std::abs(static_cast<double>(x.value().item()) - 0.5);
    if (move > 0) moves.push_back(move);
    return twice(x, 3);
  };
  GradientCheckOptions options;
  options.step = 1.0 / 16;
  CHECK_FALSE(check_gradients(loss, {{"x", x}}, options));
  REQUIRE(moves.size() == 3 * 4);
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const double step = options.step / (i < 4 ? 1 : i < 8 ? 8 : 64);
    CHECK(moves[i] == Approx(i % 4 < 2 ? step : 2 * step));  // one step to both sides, then two
  }
}

TEST_CASE("gradient check: a report on right gradients says so, and how close they are") {
  const Var x = parameter({}, {0.5});
  const GradientCheck check = check_gradients([=] { return exp(x); }, {{"x", x}});
  CHECK(check);
  CHECK_THAT(check.to_string(), Contains("all 1 gradients agree; worst: x[]: backward gives 1.648721271, "));
}

TEST_CASE("gradient check: gradients far smaller than the loss are not failed for its rounding") {
  // L = 1000 + 1e-9·x: rounding alone moves L by 1e-13.
  const Var x = parameter({}, {1});
  CHECK(check_gradients([=] { return x * Real(1e-9) + Real(1000); }, {{"x", x}}));
}

TEST_CASE("gradient check: a gradient of 1e-4 that is 0.05 per cent wrong is found") {
  const Var x = parameter({}, {1});
  const Var y = parameter({}, {1});
  CHECK_FALSE(check_gradients([=] { return y + twice(x, 2.001) * Real(1e-4); }, {{"x", x}}));
  CHECK(check_gradients([=] { return y + twice(x, 2) * Real(1e-4); }, {{"x", x}}));
}

TEST_CASE(
    "gradient check: a kink nearer than the step does not fail a right gradient, but a wrong one stays "
    "wrong") {
  const Var x = parameter({2}, {1e-4, -1e-4});
  CHECK(check_gradients([=] { return weighted_sum(relu(x)); }, {{"x", x}}));
  CHECK_FALSE(check_gradients([=] { return weighted_sum(relu(twice(x, 2.001))); }, {{"x", x}}));
}

TEST_CASE("gradient check: a parameter that the loss does not depend on is reported") {
  const Var used = parameter({2}, {1, 2});
  const Var unused = parameter({3}, {1, 2, 3});
  const GradientCheck check =
      check_gradients([=] { return sum(used * used); }, {{"used", used}, {"forgotten", unused}});
  CHECK(check);
  CHECK(check.checked == 5);
  CHECK(check.unused == std::vector<std::string>{"forgotten"});
  CHECK_THAT(check.to_string(), Contains("; the loss does not depend on forgotten"));
}

TEST_CASE("gradient check: a path that was cut off by mistake fails") {
  const Var x = parameter({}, {3});
  const Var y = parameter({}, {3});
  const GradientCheck check = check_gradients([=] { return x.detached() * y; }, {{"x", x}, {"y", y}});
  CHECK_FALSE(check);
  CHECK(check.different == 1);
  CHECK(check.unused.empty());
  CHECK(check.worst.parameter == "x");
  CHECK_FALSE(check_gradients([=] { return x.detached() * x.detached(); }, {{"x", x}}));
}

TEST_CASE("gradient check: a loss that changes from call to call is refused") {
  const Var x = parameter({}, {1});
  Random random(1);
  const auto loss = [=]() mutable { return x * static_cast<Real>(random.uniform()); };
  CHECK_THROWS_AS(check_gradients(loss, {{"x", x}}), std::invalid_argument);
  CHECK_THROWS_WITH(check_gradients(loss, {{"x", x}}),
                    Contains("check_gradients: the loss must be the same each time: it was ") &&
                        Contains("; does it draw random numbers, as dropout does?"));
}

TEST_CASE("gradient check: a loss of many elements or none that is finite is refused") {
  const Var x = parameter({2}, {1, 2});
  CHECK_THROWS_WITH(
      check_gradients([=] { return x * x; }, {{"x", x}}),
      "check_gradients: the loss must have one element: its shape is [2]; make it a scalar with "
      "weighted_sum");
  CHECK_THROWS_WITH(check_gradients([=] { return sum(log(x - Real(2))); }, {{"x", x}}),
                    Contains("check_gradients: the loss must be a finite number: it is "));
}

TEST_CASE("gradient check: what is not a parameter is refused by name") {
  const Var x = parameter({}, {1});
  const auto loss = [=] { return x * x; };
  CHECK_THROWS_WITH(check_gradients(loss, {}), "check_gradients: there must be a parameter to check");
  CHECK_THROWS_WITH(
      check_gradients(loss, {{"x", x}, {"c", Tensor::scalar(1)}}),
      "check_gradients: only gradients of parameters can be checked: \"c\" is a constant or the "
      "result of an operation");
  CHECK_THROWS_AS(check_gradients(loss, {{"y", x * x}}), std::invalid_argument);
}

TEST_CASE("gradient check: values are as before to the bit, and gradients are cleared") {
  const std::vector<Real> values{0.1, 1e-30, 12345.678};
  Var x = parameter({3}, values);
  x.mutable_grad() = Tensor::ones({3});
  CHECK(check_gradients([=] { return weighted_sum(sqrt(x + Real(1))); }, {{"x", x}}));
  CHECK(x.value().to_vector() == values);
  CHECK_FALSE(x.grad().defined());
}

TEST_CASE("gradient check: a value is put back when the loss throws") {
  const Var x = parameter({}, {1});
  const auto loss = [=] {
    if (x.value().item() != 1) throw std::runtime_error("moved");
    return x * x;
  };
  CHECK_THROWS_AS(check_gradients(loss, {{"x", x}}), std::runtime_error);
  CHECK(x.value().item() == 1);
}

TEST_CASE("gradient check: one variable under two names, as tied weights are, is checked under both") {
  const Var x = parameter({2}, {1, 2});
  const GradientCheck check = check_gradients([=] { return sum(x * x); }, {{"input", x}, {"output", x}});
  CHECK(check);
  CHECK(check.checked == 4);
  CHECK(check.unused.empty());
}

TEST_CASE("gradient check: samples limit the elements looked at, the same ones for the same seed") {
  const Var x = Var::parameter(Tensor::full({10, 10}, 2));
  const auto worst_of = [&](std::uint64_t seed) {
    // The derivative of element i is wrong by i: the worst one tells which were looked at.
    const auto loss = [=] {
      return record("ramp", sum(x.value(), {}).with_shape({}),
                    {{x, [](const Tensor&) {
                        return Tensor::arange(100).with_shape({10, 10});
                      }}});
    };
    GradientCheckOptions options;
    options.samples = 5;
    options.seed = seed;
    const GradientCheck check = check_gradients(loss, {{"x", x}}, options);
    CHECK(check.checked == 5);
    return check.worst.position;
  };
  CHECK(worst_of(1) == worst_of(1));
  CHECK((worst_of(1) != worst_of(2) || worst_of(1) != worst_of(3)));
}

TEST_CASE("gradient check: more samples than elements are all elements") {
  const Var x = parameter({2}, {1, 2});
  GradientCheckOptions options;
  options.samples = 5;
  CHECK(check_gradients([=] { return sum(x); }, {{"x", x}}, options).checked == 2);
}

TEST_CASE("gradient check: choices under which any gradient would pass are refused") {
  const Var x = parameter({}, {1});
  const auto with = [&](double step, double tolerance, Index samples) {
    GradientCheckOptions options;
    options.step = step;
    options.tolerance = tolerance;
    options.samples = samples;
    return check_gradients([=] { return twice(x, 3); }, {{"x", x}}, options);
  };
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(),
                   inf = std::numeric_limits<double>::infinity();
  CHECK_FALSE(with(0, 0, 0));
  CHECK_FALSE(with(1.5e-8, 0.33, 1));
  for (double step : {-1.0, 1e-8, nan, inf, -inf}) CHECK_THROWS_AS(with(step, 0, 0), std::invalid_argument);
  for (double tolerance : {-1.0, 1e-16, 1.0, nan, inf})
    CHECK_THROWS_AS(with(0, tolerance, 0), std::invalid_argument);
  CHECK_THROWS_WITH(with(0, 0, -1), "check_gradients: samples must be 0, for all elements, or more: got -1");
  CHECK_THROWS_WITH(with(1e-9, 0, 0),
                    "check_gradients: the step must be 0, for the best one, or a number from √ε on: "
                    "got 1e-09");
  CHECK_THROWS_WITH(with(0, 1, 0),
                    "check_gradients: the tolerance must be 0, for the usual one, or lie between ε and "
                    "1: got 1");
}

TEST_CASE("gradient check: parameters without an element show nothing, and are refused") {
  const Var none = Var::parameter(Tensor({0, 3})), x = parameter({}, {1});
  CHECK_THROWS_WITH(check_gradients([=] { return sum(none); }, {{"none", none}}),
                    "check_gradients: the parameters must have an element to check: \"none\" is [0, 3]");
  CHECK(check_gradients([=] { return sum(none) + x; }, {{"none", none}, {"x", x}}).checked == 1);
}

TEST_CASE("gradient check: the loss is computed again without a graph") {
  const Var x = parameter({}, {1});
  std::vector<bool> recorded;
  check_gradients(
      [&] {
        recorded.push_back(grad_enabled());
        return x * x;
      },
      {{"x", x}});
  REQUIRE(recorded.size() > 3);
  CHECK(recorded[0]);
  CHECK(std::count(recorded.begin(), recorded.end(), true) == 1);
}

TEST_CASE("gradient check: the step grows with the parameter, and is h below 1") {
  for (const Real value : {Real(0.01), Real(1), Real(-1000)}) {
    const Var x = parameter({}, {value});
    double farthest = 0;
    check_gradients(
        [&] {
          farthest = std::max(farthest, std::abs(static_cast<double>(x.value().item() - value)));
          return x * Real(2);
        },
        {{"x", x}});
    const double h = std::pow(std::numeric_limits<Real>::epsilon(), 0.2);
    CHECK(farthest == Approx(2 * h * std::max(1.0, std::abs(static_cast<double>(value)))));
  }
}

TEST_CASE("gradient check: step and tolerance can be chosen") {
  const Var x = parameter({}, {1});
  GradientCheckOptions options;
  options.tolerance = 1e-3;
  CHECK(check_gradients([=] { return twice(x, 2.001); }, {{"x", x}}, options));
  options.tolerance = 4e-4;
  CHECK_FALSE(check_gradients([=] { return twice(x, 2.001); }, {{"x", x}}, options));
  // With h = 1 the formula for x⁵ is off by h⁴·120/30 = 4 at x = 1: 1 instead of 5. Smaller steps are exact.
  options.step = 1;
  options.tolerance = 1e-9;
  std::vector<double> seen;
  const auto fifth_power = [&] {
    seen.push_back(x.value().item());
    return pow(x, 5);
  };
  check_gradients(fifth_power, {{"x", x}}, options);
  CHECK(std::find(seen.begin(), seen.end(), 3.0) != seen.end());
  CHECK(std::find(seen.begin(), seen.end(), -1.0) != seen.end());
}

TEST_CASE("gradient check: differences are exact to h⁴: wrong by h⁴·120/30 for x⁵") {
  const Var x = parameter({}, {1});
  GradientCheckOptions options;
  options.step = 0.1;
  options.tolerance = 0.01;
  const GradientCheck check = check_gradients([=] { return pow(x, 5); }, {{"x", x}}, options);
  CHECK(check.worst.gradient == Approx(5));
  CHECK(check.worst.difference == Approx(5 - 4e-4).epsilon(1e-12));
}

TEST_CASE("weighted sum: every element counts, and the weights are the same each time") {
  const Var ones = Tensor::ones({2, 3});
  CHECK(weighted_sum(ones).value().item() == weighted_sum(ones).value().item());
  CHECK(weighted_sum(ones, 1).value().item() != weighted_sum(ones, 2).value().item());
  Random random(7);  // of each element the size first, then the sign
  double expected = 0.5 + random.uniform();
  if (random.below(2) != 0) expected = -expected;
  CHECK(weighted_sum(Var(Tensor::ones({1})), 7).value().item() == static_cast<Real>(expected));
  const Var x = Var::parameter(Tensor::zeros({1000}));
  backward(weighted_sum(x));
  int negative = 0;
  for (Real w : x.grad()) {
    CHECK(std::abs(w) >= 0.5);
    CHECK(std::abs(w) < 1.5);
    negative += w < 0;
  }
  CHECK(negative > 400);
  CHECK(negative < 600);
}

TEST_CASE("weighted sum: a softmax whose gradient is forgotten is found, which a plain sum would hide") {
  const Var x = parameter({3}, {1, 2, 3});
  const auto cut_softmax = [=] {
    return record("softmax", softmax(x.value()),
                  {{x, [](const Tensor& dy) { return Tensor::zeros(dy.shape()); }}});
  };
  CHECK(check_gradients([=] { return sum(cut_softmax()); }, {{"x", x}}));
  CHECK_FALSE(check_gradients([=] { return weighted_sum(cut_softmax()); }, {{"x", x}}));
  CHECK(check_gradients([=] { return weighted_sum(softmax(x)); }, {{"x", x}}));
}
