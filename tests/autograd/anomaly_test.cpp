#include <gradual/autograd/anomaly.hpp>

#include <cmath>
#include <functional>
#include <limits>
#include <optional>

#include <gradual/autograd/operations.hpp>

#include "support/catch.hpp"
#include "support/recomputed.hpp"

using namespace gradual;

namespace {

constexpr Real nan_value = std::numeric_limits<Real>::quiet_NaN(),
               inf = std::numeric_limits<Real>::infinity();
constexpr auto forward_pass = AnomalyError::Pass::forward, backward_pass = AnomalyError::Pass::backward;

Var named_p(const std::vector<Real>& values) {
  return Var::parameter(Tensor({static_cast<Index>(values.size())}, values)).named("p");
}

// What is found while something is computed, and its gradient.
std::optional<AnomalyError> found(const std::function<Var()>& compute) {
  const AnomalyDetection detection;
  try {
    const Var y = compute();
    if (y.requires_grad()) backward(y, Tensor::ones(y.shape()));
  } catch (const AnomalyError& error) {
    return error;
  }
  return std::nullopt;
}

struct Planted {
  const char* what;
  AnomalyError::Pass pass;
  const char* operation;
  std::function<Var()> compute;
};

// Each has sound operations before and behind the one that is to blame.
const std::vector<Planted>& planted() {
  static const Var zero = named_p({0, 1}), one = named_p({1, 2});
  static const Real huge = std::numeric_limits<Real>::max();
  static const std::vector<Planted> all = {
      {"the logarithm of 0", forward_pass, "log", [] { return exp(log(relu(zero)) * 2); }},
      {"the logarithm of less", forward_pass, "log", [] { return tanh(log(zero - 3)); }},
      {"the root of less than 0", forward_pass, "sqrt", [] { return sum(sqrt(zero - 1)); }},
      {"0 / 0", forward_pass, "div", [] { return (zero * 2) / zero + 1; }},
      {"1 / 0", forward_pass, "div", [] { return tanh(1 / zero); }},
      {"an exponential that is too large", forward_pass, "exp", [] { return log(exp(one * 1000)); }},
      {"a product that is too large", forward_pass, "mul", [] { return (one * huge) - (one * huge); }},
      {"a power of 0", forward_pass, "pow", [] { return sum(pow(zero, -1)); }},
      {"a root of less than 0, as a power", forward_pass, "pow", [] { return sum(pow(zero - 1, 0.5)); }},
      {"a sum that is too large", forward_pass, "sum", [] { return exp(-sum(zero * 0 + huge)); }},
      {"a matrix product that is too large", forward_pass, "matmul",
       [] {
         return tanh(matmul(reshape(one * (huge / 4), {1, 2}), Tensor::full({2, 1}, 3)));
       }},
      {"-inf - -inf in a mask", forward_pass, "sub",
       [] {
         const Var masked = where(Tensor({2}, {1, 0}), one, -inf);
         return masked - masked;
       }},
      {"0 times a mask of -inf", forward_pass, "mul",
       [] {
         return softmax(zero * Tensor({2}, {-inf, 0}));
       }},
      {"the slope of a root at 0", backward_pass, "sqrt", [] { return sum(sqrt(relu(zero) * 3)); }},
      {"the slope of a power at 0", backward_pass, "pow", [] { return sum(pow(zero, 0.5)); }},
      {"the slope of the inverse of a small number", backward_pass, "div",
       [] { return sum(1 / (zero * 0 + 4 / huge)); }},
      {"a gradient that grows too large", backward_pass, "mul",
       [] { return tanh(sum((zero - zero) * huge * 3)); }},
      {"the slope of the length of nothing", backward_pass, "sqrt",
       [] { return sqrt(sum((zero * 0) * (zero * 0))); }},
      {"a rule of one's own with NaN", backward_pass, "own",
       [] {
         const Var x = tanh(one);
         return sum(record("own", x.value(), {{x, [](const Tensor& dy) { return dy * nan_value; }}}) * 2);
       }},
      {"a joint rule of one's own with an infinity for its second input", backward_pass, "own pair",
       [] {
         const Var a = tanh(one), b = exp(zero);
         const auto rule = [](const Tensor& dy, const std::vector<Gradient>& dx) {
           dx[0].add(dy);
           dx[1].add(dy / 0);
         };
         return sum(record("own pair", a.value(), std::vector<Var>{a, b}, rule));
       }},
  };
  return all;
}

}  // namespace

TEST_CASE("anomaly detection: names the operation and the pass of 20 planted NaN and infinities") {
  CHECK(planted().size() == 20);
  for (const Planted& each : planted()) {
    INFO(each.what);
    const std::optional<AnomalyError> anomaly = found(each.compute);
    REQUIRE(anomaly);
    INFO(anomaly->what());
    CHECK(anomaly->operation == each.operation);
    CHECK((anomaly->pass == each.pass));
  }
}

TEST_CASE("anomaly detection: says what the inputs were, and near which parameter") {
  const auto anomaly = found([] { return sum(log(named_p({0, 4}) * 2)); });
  REQUIRE(anomaly);
  CHECK(
      anomaly->what() ==
      std::string("log: the result must be finite where the inputs are: result [2]: 1 of 2 is -inf; the "
                  "others from 2.07944 to 2.07944; input 1 [2]: all from 0 to 8; the parameter used last is "
                  "\"p\""));
  const Real huge = std::numeric_limits<Real>::max();
  const auto without_bias = found([&] {
    return linear(Var::parameter(Tensor({1, 1}, {2})), Var(Tensor({1, 1}, {huge})), {});
  });
  REQUIRE(without_bias);
  CHECK(without_bias->operation == "linear");
  CHECK_THAT(without_bias->what(), Contains("; input 2 [1, 1]: all from") && !Contains("input 3"));
  const auto backwards = found([] { return sum(sqrt(named_p({0, 4})) * 3); });
  REQUIRE(backwards);
  CHECK(
      backwards->what() ==
      std::string("sqrt, backward: gradients must be finite where dy is: that of the parameter \"p\" of "
                  "shape [2]: 1 of 2 is inf; the others from 0.75 to 0.75; dy [2]: all from 3 to 3; input 1 "
                  "\"p\" [2]: all from 0 to 4; the parameter used last is \"p\""));
}

TEST_CASE(
    "anomaly detection: a parameter, a constant and a seed that came in with NaN are named themselves") {
  const auto broken = found([] { return sum(exp(named_p({1, nan_value}) * 2)); });
  REQUIRE(broken);
  CHECK(broken->operation == "parameter");
  CHECK_THAT(broken->what(), Contains("mul: a parameter must be finite; input 1 \"p\" [2]: 1 of 2 is NaN"));
  CHECK(found([] { return named_p({inf}) - 1; })->operation == "parameter");
  CHECK(found([] { return named_p({1}) * Tensor({1}, {nan_value}); })->operation == "constant");

  const AnomalyDetection detection;
  const Var p = named_p({1, 2});
  CHECK_THROWS_WITH(backward(exp(p), Tensor({2}, {1, inf})),
                    "backward: the seed must be finite: it is [2]: 1 of 2 is inf; the others from 1 to 1");
  CHECK_FALSE(p.grad().defined());
  const Var older = exp(p), newer = exp(p);
  backward(newer, Tensor::ones({2}));
  CHECK_THROWS_WITH(backward(older, Tensor({2}, {nan_value, 1})), Contains("the seed must be finite"));
}

TEST_CASE("anomaly detection: says nothing of -inf in masks, and of what they hide") {
  const Var scores = Var::parameter(Tensor({2, 3}, {1, 2, 3, 4, 5, 6}));
  const Tensor mask({2, 3}, {0, -inf, -inf, 0, 0, -inf});
  CHECK_FALSE(found([&] { return softmax(scores + mask); }));
  CHECK_FALSE(found([&] { return softmax(where(mask < 0, -inf, scores)); }));
  CHECK_FALSE(found([&] { return exp(log_softmax(scores + mask)); }));
  CHECK_FALSE(found([&] { return maximum(scores + mask, 0); }));
  const Tensor all_nan = Tensor::full({2, 3}, nan_value);
  CHECK_FALSE(found([&] { return where(Tensor::ones({2, 3}), scores + mask, all_nan); }));
}

TEST_CASE("anomaly detection: a graph that is walked twice, several steps, and none at all") {
  const AnomalyDetection detection;
  const Var p = named_p({1, 4});
  const Var kept = sum(sqrt(p));
  backward(kept, Graph::keep);
  backward(kept);
  CHECK(p.grad().to_vector() == std::vector<Real>{1, 0.5});
  for (int step = 0; step < 3; ++step) backward(sum(exp(p)));
  {
    const NoGrad no_grad;
    CHECK_THROWS_AS(log(p - 1), AnomalyError);
  }
  CHECK_THROWS_AS(backward(sum(sqrt(p - 1))), AnomalyError);
  CHECK_THROWS_AS(backward(sum(sqrt(p - 1))), AnomalyError);  // and again
}

TEST_CASE("anomaly: a block that is computed again hides neither dy nor what the operations before it were") {
  const Real huge = std::numeric_limits<Real>::max();
  const Var w = named_p({Real(0.1), Real(0.2)});
  // Each of the two gradients of h is finite; their sum, which the younger of its readers makes, is not.
  const auto error = found([&] {
    const Var h = w * 2;
    const Var again = recomputed([](const Var& in) { return in * 1; }, h);
    return again * (huge / 4 * 3) + h * (huge / 4 * 3);
  });
  REQUIRE(error);
  CHECK(error->pass == backward_pass);
  CHECK(error->operation == "recomputed");
  CHECK_THAT(error->what(), Contains("dy [2]: ") && Contains("input 1 [2]"));
  // An operation in front of such a block is told with its inputs.
  const auto before = found([&] {
    const Var h = pow(w - Var(w.value()), 0.5);  // whose slope at 0 is infinite
    return recomputed([](const Var& in) { return in * 2; }, h);
  });
  REQUIRE(before);
  CHECK_THAT(before->what(),
             Contains("pow") && Contains("input 1 [2]") && Contains("the parameter used last is \"p\""));
}
