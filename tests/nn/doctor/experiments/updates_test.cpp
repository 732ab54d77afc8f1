#include "planned.hpp"

namespace gradual::experiments::updates_test {

namespace {

// Of a weight (1, 0, 0) with the slope (0, 1, 0), a step that goes so far to zero and down; with these
// cosines where the rest goes elsewhere.
Answer led(double inwards, double down, bool is_rest = true) {
  PlannedSteps planned({Tensor({3}, {1, 0, 0}), Tensor({1}, {0})}, nullptr);
  planned.loss = [&] { return sum(planned.weight() * Tensor({3}, {0, 1, 0})); };
  const double rest = is_rest ? std::sqrt(1 - inwards * inwards - down * down) : 0;
  planned.taken = [&](const std::function<Var()>&, double rate, Index) {
    CHECK(rate == 0.5);
    CHECK_FALSE(planned.weight().grad().defined());
    planned.set({static_cast<Real>(1 - inwards), static_cast<Real>(-down), static_cast<Real>(rest)});
  };
  return planned.asked(of_updates(), "steps lead down");
}

// A matrix (10, 0, 0, 0) that step n takes so much of, and moves as much sideways.
Answer shrunk(const std::function<double(Index n)>& share, double sideways = 0, const Shape& shape = {2, 2}) {
  PlannedSteps planned({Tensor(shape, {10, 0, 0, 0})}, nullptr);
  planned.taken = [&](const std::function<Var()>& flat, double, Index n) {
    planned.weight().zero_grad();
    backward(flat());
    for (const Real each : planned.weight().grad()) CHECK(each == 0);
    const double length = static_cast<double>(planned.weight().value().data()[0]), lost = length * share(n);
    planned.set({static_cast<Real>(length - lost), static_cast<Real>(sideways * lost), 0, 0});
  };
  return planned.asked(of_updates(), "weights are kept");
}
Answer shrunk_at_last(double share, double sideways = 0, const Shape& shape = {2, 2}) {
  return shrunk([=](Index n) { return n == 101 ? share : 0; }, sideways, shape);
}

}  // namespace

TEST_CASE("updates: a step leads down where its cosine is above three hundredths") {
  CHECK(led(0, 0.5).evidence == "the cosine of a step with the way down is 0.5, with the way to zero 0");
  CHECK(led(0, 0.031).cause.empty());
  for (const double down : {0.029, 0.0, -0.029})
    CHECK(led(0, down).cause == "Steps do not follow the gradient of the loss.");
  CHECK(led(0, -0.031).cause == "Steps lead up: the loss is made larger, not smaller.");
}

TEST_CASE("updates: a step leads to zero where that is more than four tenths of it, and more than down") {
  CHECK_THAT(led(0.41, 0.3).cause, Contains("Steps lead to zero"));
  CHECK(led(0.39, 0.3).cause.empty());
  CHECK(led(0.5, 0.6).cause.empty());
  CHECK_THAT(led(0.6, 0.5).cause, Contains("Steps lead to zero"));
  CHECK(led(0.5, 0.5, false).cause.empty());  // as much as down
  CHECK(led(-0.9, 0.1).cause.empty());
  CHECK_THAT(led(0.9, -0.1).cause, Contains("Steps lead up"));
  CHECK_THAT(led(0.9, 0).cause, Contains("Steps lead to zero"));
}

TEST_CASE("updates: a step that does not move, and parameters without a gradient, have no cosine") {
  PlannedSteps still({Tensor({1}, {1})}, [](const std::function<Var()>&, double, Index) {});
  still.loss = [&] { return sum(still.weight()); };
  CHECK(still.asked(of_updates(), "steps lead down").evidence ==
        "the cosine of a step with the way down is 0, with the way to zero 0");
  // The second moves as much as the first, and has no slope: a cosine of 1/√2.
  PlannedSteps two({Tensor({1}, {0}), Tensor({1}, {0})}, nullptr);
  two.loss = [&] { return sum(two.weight()); };
  two.taken = [&](const std::function<Var()>&, double, Index) {
    two.set({-1}, 0);
    two.set({-1}, 1);
  };
  CHECK_THAT(two.asked(of_updates(), "steps lead down").evidence, Contains("the way down is 0.707107,"));
}

TEST_CASE("updates: weights may lose four thousandths with a step where the slope is 0") {
  CHECK(shrunk_at_last(0).evidence == "where the slope is 0, a step shrinks weights by 0 %");
  CHECK(shrunk_at_last(0.0039).cause.empty());
  CHECK_FALSE(shrunk_at_last(0.0041).cause.empty());
  // Half is left after ln ½ / ln 0.75 = 2.4 steps.
  CHECK(shrunk_at_last(0.25).cause ==
        "The weight decay is far too strong: w0 loses 25 % with each step, half in 2 steps.");
  CHECK_THAT(shrunk_at_last(1).cause, Contains("loses 100 % with each step, half in 0 steps."));
  CHECK(shrunk_at_last(-0.25).cause.empty());
  // After a hundred steps, and no other.
  CHECK(shrunk([](Index n) { return n == 100 ? 0.25 : 0; }).cause.empty());
  CHECK(shrunk([](Index n) { return n == 102 ? 0.25 : 0; }).cause.empty());
  CHECK(shrunk_at_last(0.25, 0, {4}).cause.empty());  // a vector
  CHECK_FALSE(shrunk_at_last(0.25, 0, {1, 2, 2}).cause.empty());
}

TEST_CASE("updates: what goes more than a twentieth sideways is no decay") {
  CHECK_FALSE(shrunk_at_last(0.01, 0.049).cause.empty());
  CHECK(shrunk_at_last(0.01, 0.051).cause.empty());
}

TEST_CASE("updates: of weights, those that lose most are named, and zeros lose nothing") {
  PlannedSteps planned(
      {Tensor({2, 1}, {1, 1}), Tensor({2, 1}, {1, 1}), Tensor({2, 1}, {1, 1}), Tensor({2, 1}, {0, 0})},
      nullptr);
  planned.taken = [&](const std::function<Var()>&, double, Index n) {
    const std::vector<Real> left{Real(0.875), Real(0.75), Real(0.875)};
    for (std::size_t i = 0; i < 3; ++i)
      if (n == 101) planned.set({left[i], left[i]}, i);
  };
  CHECK_THAT(planned.asked(of_updates(), "weights are kept").cause, Contains("w1 loses 25 % with each step"));
}

TEST_CASE("updates: a step is made in training, and modes are afterwards what they were") {
  Mode first, second;
  first.training = true;
  second.training = false;
  bool switches_off = false;
  PlannedSteps planned({Tensor({1}, {1})}, nullptr);
  planned.taken = [&](const std::function<Var()>& loss, double rate, Index) {
    CHECK(rate == 0);
    if (switches_off) first.training = second.training = false;
    loss();
  };
  CHECK(planned.asked(of_updates(), "steps are in training").evidence == "nothing is asked");
  planned.patient.modes = {&first, &second};
  const auto in_training = [&] { return planned.asked(of_updates(), "steps are in training"); };
  CHECK(in_training().evidence == "in a step, 2 of 2 parts know that they are in training");
  CHECK(in_training().cause.empty());
  CHECK((first.training && !second.training));
  switches_off = true;
  CHECK_THAT(in_training().cause, Contains("Training is made in evaluation mode"));
  CHECK((first.training && !second.training));
  planned.patient.modes = {&first};
  planned.taken = [&](const std::function<Var()>& loss, double, Index) { loss(); };
  CHECK(in_training().cause.empty());
}

}  // namespace gradual::experiments::updates_test
