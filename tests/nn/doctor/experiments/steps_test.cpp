#include "planned.hpp"

namespace gradual::experiments::steps_test {

namespace {

const Tensor three({1}, {3}), four({1}, {4});  // together of the length 5

// Step n moves both so that the whole is as long as said, and leaves a gradient of some length.
struct OfLengths {
  std::function<double(double rate, Index n)> moves = [](double, Index) { return 0; };
  std::function<double(Index n)> gradient = [](Index) { return 1; };
  bool loss_is_weight = false;

  Answer asked(const std::vector<Experiment>& some, const char* name) const {
    PlannedSteps planned({three, four}, nullptr);
    double moved = 0;
    planned.taken = [&](const std::function<Var()>& loss, double rate, Index n) {
      loss();
      if (n == 1) moved = 0;
      moved += moves(rate, n);
      planned.set({static_cast<Real>(3 + 0.8 * moved)}, 0);
      planned.set({static_cast<Real>(4 + 0.6 * moved)}, 1);
      planned.set_gradient({static_cast<Real>(0.6 * gradient(n))}, 0);
      planned.set_gradient({static_cast<Real>(0.8 * gradient(n))}, 1);
    };
    if (loss_is_weight) planned.loss = [&] { return sum(planned.weight()); };
    return planned.asked(some, name);
  }
};

Answer twice(const OfLengths& plan) { return plan.asked(of_steps(), "same batch twice"); }

// Step n of a run moves one weight by this.
Answer down_a_plane(const std::function<double(Index n)>& moves) {
  PlannedSteps planned({Tensor({1}, {8})}, nullptr);
  planned.taken = [&](const std::function<Var()>&, double, Index n) {
    planned.set({static_cast<Real>(static_cast<double>(planned.weight().value().item()) + moves(n))});
  };
  return planned.asked(of_steps_in_a_row(), "steps keep their length");
}

// The step after `others` moves this way, where the gradient is (1, 0).
Answer remembers(const std::function<std::vector<Real>(Index n)>& to) {
  PlannedSteps planned({Tensor({2}, {0, 0}), Tensor({1}, {0})}, nullptr);
  planned.taken = [&](const std::function<Var()>&, double, Index n) {
    planned.set(to(n));
    planned.set_gradient({1, 0});
  };
  return planned.asked(of_steps_in_a_row(), "steps remember");
}

}  // namespace

TEST_CASE("steps: at rate 0 a second one has the same loss and the same gradient, but for a ten-thousandth") {
  OfLengths plan;
  CHECK(twice(plan).evidence ==
        "at rate 0, the loss of a batch is 1 and 1, the length of its gradient 1 and 1");
  CHECK(twice(plan).cause.empty());
  std::vector<double> rates;
  plan.moves = [&](double rate, Index) {
    rates.push_back(rate);
    return 0;
  };
  twice(plan);
  CHECK(rates == std::vector<double>{0, 0});
  const auto second_is = [&](double share) {
    plan.gradient = [=](Index n) { return n == 2 ? 4 * share : 4; };
    plan.moves = [](double rate, Index) { return rate; };
    return twice(plan).cause;
  };
  for (const double length : {1.00009, 0.99991}) CHECK(second_is(length).empty());
  for (const double length : {1.00011, 0.99989})
    CHECK(second_is(length) == "Gradients are not set to zero between steps: they add up.");
  // One of eight more steps must move something, or the optimizer has others.
  const auto moves_at = [&](Index right) {
    plan.gradient = [](Index n) { return static_cast<double>(n); };
    plan.moves = [=](double, Index n) { return n == right ? 1 : 0; };
    return twice(plan).cause;
  };
  CHECK_THAT(moves_at(10), Contains("they add up"));
  CHECK_THAT(moves_at(11), Contains("the optimizer has other parameters than the model"));
}

TEST_CASE("steps: one at rate 0 that moves takes a rate that is far too high, too low, or another") {
  OfLengths plan;
  plan.loss_is_weight = true;
  const auto of_each = [&](double move) {
    plan.moves = [=](double, Index) { return move; };
    return twice(plan);
  };
  CHECK_THAT(of_each(0.5).evidence, Contains("; such a step moves the parameters by 0.1 of their length"));
  const std::string another =
      "A step at rate 0 changes the model: the loop takes another rate than it is given";
  CHECK(of_each(0.505).cause == another + ", a far too high one, or adds something else.");
  CHECK(of_each(0.495).cause == another + ", or adds something else.");
  CHECK(of_each(0.000055).cause == another + ", or adds something else.");
  CHECK(of_each(0.000045).cause == another + ", a far too low one, or adds something else.");
}

TEST_CASE("steps: one moves every parameter, and all by three tenths of their length at most") {
  OfLengths plan;
  const auto of_length = [&](double move) {
    plan.moves = [=](double, Index) { return move; };
    return plan.asked(of_steps(), "update against weight");
  };
  CHECK(
      of_length(1).evidence ==
      "a step at the highest rate, 0.5, moves the parameters by 0.2 of their length; 0 of 2 stay where they "
      "are");
  CHECK(of_length(1.49).cause.empty());
  CHECK_THAT(of_length(1.51).cause, Contains("Steps are too long by far: one moves the parameters by 0.302"));
  PlannedSteps half({three, four}, nullptr);
  half.taken = [&](const std::function<Var()>&, double, Index) { half.set({Real(3.5)}); };
  const Answer answer = half.asked(of_steps(), "update against weight");
  CHECK(
      answer.evidence ==
      "a step at the highest rate, 0.5, moves the parameters by 0.1 of their length; 1 of 2 stay where they "
      "are, such as w1");
  CHECK(answer.cause == "A step does not change all parameters: w1 stays what it is.");
}

TEST_CASE("steps: why one moves nothing at all") {
  const auto why = [](bool walks_back, bool leaves_gradient, Index moves) {
    PlannedSteps planned({three}, nullptr);
    planned.loss = [&] { return sum(planned.weight() * Real(2)); };
    planned.taken = [&](const std::function<Var()>& loss, double, Index n) {
      planned.weight().zero_grad();
      const Var height = loss();
      if (walks_back) backward(height);
      if (!leaves_gradient) planned.weight().zero_grad();
      if (n == moves) planned.set({4});
    };
    const Answer answer = planned.asked(of_steps(), "update against weight");
    CHECK((answer.advice.find("Make the optimizer after the model") == 0) ==
          (answer.cause.find("the optimizer has other parameters") != std::string::npos));
    return answer.cause;
  };
  CHECK_THAT(why(false, false, 0), Contains("backward() is never called"));
  CHECK_THAT(why(true, false, 0), Contains("gradients are set to zero after backward()"));
  CHECK_THAT(why(true, true, 2), Contains("A step comes before its gradients"));
  CHECK(why(true, true, 3) == "The first steps change nothing, and only step 3 does.");
  CHECK(why(true, true, 9) == "The first steps change nothing, and only step 9 does.");
  CHECK_THAT(why(true, true, 10), Contains("the optimizer has other parameters than the model"));
}

TEST_CASE("steps: down a plane, the fortieth is longer than half of the first") {
  // A step at rate 0 comes before.
  const auto last = [](double length) {
    return down_a_plane([=](Index n) { return n == 1 ? 0 : n == 41 ? length : 2; });
  };
  CHECK(last(2).evidence ==
        "down a plane, step 40 at one rate is 1 of the first, and all lead 40 times as far");
  CHECK(last(1.125).cause.empty());
  CHECK_THAT(last(1).cause, Contains("Steps grow shorter and shorter"));
  // Twice as far as the first is far enough, as by one more step of its length.
  const auto far = [](double others) {
    return down_a_plane([=](Index n) { return n == 2 ? 2 : n == 20 ? others : n == 41 ? 0.5 : 0; }).cause;
  };
  CHECK_THAT(far(1.5), Contains("Steps grow shorter and shorter"));
  CHECK_THAT(far(1.25), Contains("Steps do not add up"));
  CHECK(down_a_plane([](Index n) { return n == 2 ? 0 : 1; }).evidence == "nothing is asked");
}

TEST_CASE("steps: the plane has the slopes of the first batch, for all that have some") {
  PlannedSteps planned({three, four, Tensor({1}, {5})}, nullptr);
  planned.loss = [&] { return sum(planned.weight(0) * Real(7)) + sum(planned.weight(2) * Real(9)); };
  Index planes = 0;
  planned.taken = [&](const std::function<Var()>& height, double rate, Index n) {
    for (NamedParameter& each : planned.patient.parameters) each.variable.zero_grad();
    backward(height());
    CHECK(planned.weight(0).grad().item() == 7);
    CHECK_FALSE(planned.weight(1).grad().defined());
    CHECK(planned.weight(2).grad().item() == 9);
    CHECK(rate == (n == 1 ? 0 : 0.5));
    planned.set({static_cast<Real>(3 + n)}, 0);
    planned.set({static_cast<Real>(4 + n)}, 2);
    ++planes;
  };
  CHECK_THAT(planned.asked(of_steps_in_a_row(), "steps keep their length").evidence, Contains("step 40"));
  CHECK(planes == 41);
}

TEST_CASE("steps: one after another is another, by a millionth of its length") {
  const auto after_another = [](Real more, const std::vector<Real>& way = {0, 1}) {
    return remembers([=](Index n) {
      return std::vector<Real>{way[0] * (n == 2 ? 1 + more : 1), way[1] * (n == 2 ? 1 + more : 1)};
    });
  };
  CHECK(after_another(0.5).evidence ==
        "after another step, a step is another one by 0.5 of its length; its cosine with the gradient is 0");
  CHECK(after_another(0.5).cause.empty());
  CHECK_THAT(after_another(0).cause, Contains("The optimizer does not remember"));
  CHECK_THAT(after_another(Real(0.8e-6)).cause, Contains("The optimizer does not remember"));
  CHECK(after_another(Real(1.2e-6)).cause.empty());
  // Without memory, along the gradient: of (-4, 3) the cosine is 4/5.
  CHECK_THAT(after_another(0, {-4, 3}).evidence, Contains("its cosine with the gradient is 0.8"));
  const auto at_cosine = [&](double cosine) {
    return after_another(0, {static_cast<Real>(-cosine), static_cast<Real>(std::sqrt(1 - cosine * cosine))})
        .cause;
  };
  CHECK_FALSE(at_cosine(0.949).empty());
  CHECK(at_cosine(0.951).empty());
  CHECK_FALSE(at_cosine(-0.97).empty());
  CHECK(remembers([](Index) { return std::vector<Real>{0, 0}; }).evidence == "nothing is asked");
}

TEST_CASE("steps: memory is asked for from the first weights, by the first batch and the next") {
  PlannedSteps planned({Tensor({1}, {0})}, nullptr);
  std::vector<Index> asked;
  planned.patient.batch = [&](Index n) {
    asked.push_back(n);
    return batch_of({}, {}, {{static_cast<std::int32_t>(n)}}, {{2}});
  };
  std::vector<std::int32_t> met;
  planned.patient.loss = [&](const TranslationBatch& batch) {
    met.push_back(batch.input[0]);
    return Var(Tensor::scalar(1));
  };
  planned.taken = [&](const std::function<Var()>& loss, double rate, Index) {
    loss();
    CHECK(rate == 0.5);
    CHECK(planned.weight().value().item() == 0);
    planned.set({1});
  };
  planned.asked(of_steps_in_a_row(), "steps remember");
  CHECK(asked == std::vector<Index>{0, 1});
  CHECK(met == std::vector<std::int32_t>{1, 0, 1});
}

}  // namespace gradual::experiments::steps_test
