#include "planned.hpp"

namespace gradual::experiments::gradient_test {

namespace {

// A weight of one number, whose loss is so many times it, and as many more that a gradient does not know of.
Answer slope(double known, double unknown, double weight = 1) {
  PlannedSteps planned({Tensor({1}, {static_cast<Real>(weight)})}, nullptr);
  planned.loss = [&] {
    const Var& w = planned.weight();
    return sum(w) * static_cast<Real>(known) + sum(w.detached()) * static_cast<Real>(unknown);
  };
  return planned.asked(of_gradient(), "gradient is the slope");
}

Answer of_loss(const char* name, const std::vector<Tensor>& values,
               const std::function<Var(const std::vector<NamedParameter>&)>& loss) {
  PlannedSteps planned(values, nullptr);
  planned.loss = [&] { return loss(planned.patient.parameters); };
  return planned.asked(of_gradient(), name);
}

const Tensor one({1}, {1});

}  // namespace

TEST_CASE("gradient: it reaches all parameters, or the first that it does not is named") {
  const auto reached = [](bool all) {
    return of_loss("dead paths", {one, one, one}, [=](const auto& w) {
      return all ? sum(w[0].variable * w[1].variable * w[2].variable) : sum(w[1].variable);
    });
  };
  CHECK(reached(true).evidence == "all 3 parameters have a gradient");
  CHECK(reached(true).cause.empty());
  CHECK(reached(false).cause == "The loss does not reach all parameters: w0 learns nothing.");
  CHECK_THAT(reached(false).evidence, Contains("2 of 3 parameters have none; w0 [1]:"));
}

TEST_CASE("gradient: the loss changes as it says, but for a tenth") {
  CHECK_THAT(slope(1, 0).evidence,
             Contains("along the gradients of 1 parameters the loss changes as they say"));
  for (const double more : {0.09, -0.09}) CHECK(slope(1, more).cause.empty());
  for (const double more : {0.11, -0.11}) CHECK_FALSE(slope(1, more).cause.empty());
  CHECK_THAT(slope(2, 2).cause,
             Contains("The gradient is not the slope of the loss: along that of w0 it should "
                      "change by 2, and changes by 4"));
  CHECK(slope(0, 2).evidence == "nothing is asked");
  // Steps of 0.05 of the weight and 0.01 more, and changes of 0.02 at most; below 0.0005 none is measured.
  CHECK_FALSE(slope(0.0042, 0).evidence == "nothing is asked");  // 2·0.06·0.0042 = 0.000504
  CHECK(slope(0.0041, 0).evidence == "nothing is asked");        // 0.000492
  CHECK_FALSE(slope(0.026, 0, 0).evidence == "nothing is asked");
  CHECK(slope(0.024, 0, 0).evidence == "nothing is asked");
  // The worst is named.
  const Answer worst = of_loss("gradient is the slope", {one, one, one}, [](const auto& w) {
    Var loss = sum(w[0].variable) + sum(w[1].variable) + sum(w[2].variable);
    return loss + sum(w[0].variable.detached()) / 2 + sum(w[1].variable.detached()) +
           sum(w[2].variable.detached()) / 4;
  });
  CHECK_THAT(worst.evidence, Contains("along the gradients of 3 parameters"));
  CHECK_THAT(worst.cause, Contains("along that of w1 it should change by 1"));
}

TEST_CASE("gradient: what has none is not measured") {
  CHECK_THAT(
      of_loss("gradient is the slope", {one, one}, [](const auto& w) { return sum(w[1].variable); }).evidence,
      Contains("along the gradients of 1 parameters"));
}

TEST_CASE("gradient: steps are short where the gradient is long, and a crooked loss is left out") {
  // The largest change of the weight that the loss sees, 0.02 by the length of the gradient.
  double farthest = 0;
  PlannedSteps planned({one}, nullptr);
  planned.loss = [&] {
    farthest = std::max(farthest, std::abs(static_cast<double>(planned.weight().value().item()) - 1));
    return sum(planned.weight()) * Real(2);
  };
  planned.asked(of_gradient(), "gradient is the slope");
  CHECK(farthest == Approx(0.01).epsilon(1e-4));
  // x + a·x³ around 0, with h = 0.01 and a half of it: the slopes are 1 + a·h² and 1 + a·h²/4.
  const auto crooked = [](double a) {
    return of_loss("gradient is the slope", {Tensor({1}, {0})},
                   [=](const auto& w) {
                     const Var& x = w[0].variable;
                     return sum(x + x * x * x * static_cast<Real>(a));
                   })
        .evidence;
  };
  CHECK_FALSE(crooked(260) == "nothing is asked");  // ¾·a·h² = 0.0195
  CHECK(crooked(275) == "nothing is asked");        // 0.0206
}

TEST_CASE("gradient: a matrix that is read as a constant, though it was made before, is cut off") {
  const Tensor matrix({2, 2}, {1, 2, 3, 4});
  const auto cut = [&](const std::function<Var(const Var& w)>& loss) {
    return of_loss("nothing is cut off", {matrix}, [&](const auto& w) { return sum(loss(w[0].variable)); });
  };
  CHECK(cut([&](const Var& w) { return matmul(w, Var(matrix * Real(2))); }).evidence ==
        "of 1 constants on the way to the loss, none is a result of it");
  CHECK(cut([](const Var& w) { return w; }).evidence ==
        "of 0 constants on the way to the loss, none is a result of it");
  const Answer of_weight = cut([](const Var& w) { return matmul(w, w.detached()); });
  CHECK_THAT(of_weight.cause, Contains("A gradient is cut off: w0 is read as a constant by matmul in"));
  CHECK_FALSE(cut([](const Var& w) {
                const Var y = tanh(w);
                return matmul(w, y.detached());
              }).cause.empty());
  // A vector may be one, and so may what no gradient goes through.
  CHECK(cut([](const Var& w) {
          const Var y = sum(w, {0});
          return w * y.detached();
        }).cause.empty());
  CHECK(cut([&](const Var& w) { return w * tanh(Var(matrix * Real(2))); }).cause.empty());
}

}  // namespace gradual::experiments::gradient_test
