#include <memory>

#include <gradual/nn/module.hpp>

#include "planned.hpp"

namespace gradual::experiments::passes_test {

namespace {

Answer of_pass(const char* name, const std::function<Var(const Var& w)>& loss) {
  PlannedSteps planned({Tensor({10}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})}, nullptr);
  planned.loss = [&] { return loss(planned.weight()); };
  return planned.asked(of_passes(), name);
}

// Ten numbers, of which the first so many are 0, and the others as they are.
Var with_zeros(const Var& x, Index count, Real otherwise = 1) {
  Tensor mask = Tensor::ones(x.shape()) * otherwise;
  std::fill_n(mask.mutable_data(), count, Real(0));
  return x * mask;
}

}  // namespace

TEST_CASE("passes: weights that are not among the parameters are counted, the oldest named") {
  const Var first = Var::parameter(Tensor({2}, {1, 2})).named("hidden"),
            second = Var::parameter(Tensor({3}, {1, 2, 3}));
  CHECK(of_pass("all weights are known", [](const Var& w) { return sum(w); }).evidence ==
        "of 1 weights in the loss, 0 are not among the model's parameters");
  CHECK(of_pass("all weights are known", [](const Var& w) {
          return sum(w * Tensor::ones({10}));
        }).cause.empty());
  const Answer two =
      of_pass("all weights are known", [&](const Var& w) { return sum(second) + sum(w) + sum(first); });
  CHECK(two.evidence ==
        "of 3 weights in the loss, 2 are not among the model's parameters, such as hidden [2]");
  CHECK_THAT(two.cause, Contains("2 weights are never updated"));
  CHECK_THAT(of_pass("all weights are known", [&](const Var& w) { return sum(w) + sum(second); }).evidence,
             Contains("such as one [3]"));
  // What is made anew in each pass is another fault.
  CHECK(of_pass("all weights are known", [](const Var& w) {
          return sum(w) + sum(Var::parameter(Tensor({1}, {1})));
        }).cause.empty());
}

TEST_CASE("passes: two evaluations are equal, or chance or something new is at work") {
  CHECK(of_pass("two evaluations are equal", [](const Var& w) { return sum(w); }).evidence ==
        "the loss of a batch is 55 and 55");
  CHECK(of_pass("two evaluations are equal", [](const Var& w) {
          return sum(w) / Real(0) * Real(0);
        }).cause.empty());
  Index passes = 0;
  const Answer anew = of_pass("two evaluations are equal", [&](const Var& w) {
    return sum(tanh(w) * Var(Tensor::ones({10}) * static_cast<Real>(++passes)));
  });
  CHECK_THAT(anew.cause, Contains("the first result that differs is of mul, which was given other numbers"));
  const Answer on_the_left = of_pass("two evaluations are equal", [&](const Var& w) {
    return sum(Var(Tensor::ones({10}) * static_cast<Real>(++passes)) * tanh(w));
  });
  CHECK(on_the_left.cause == anew.cause);
  const Answer dropped = of_pass("two evaluations are equal",
                                 [&](const Var& w) { return sum(with_zeros(w, ++passes % 4 + 1)); });
  CHECK_THAT(dropped.cause, Contains("Chance is at work in evaluation"));
}

TEST_CASE("passes: evaluation is asked for, and modes are afterwards what they were") {
  Mode on, off;
  on.training = true;
  off.training = false;
  PlannedSteps planned({Tensor({1}, {1})}, nullptr);
  planned.patient.modes = {&on, &off};
  planned.loss = [&] {
    CHECK_FALSE((on.training || off.training));
    return sum(planned.weight());
  };
  CHECK(planned.asked(of_passes(), "two evaluations are equal").cause.empty());
  CHECK((on.training && !off.training));
}

TEST_CASE("passes: dropout may take 64 of a hundred numbers") {
  // In each second pass more are dropped.
  const auto drops = [](Index numbers, Index dropped) {
    const auto passes = std::make_shared<Index>(0);
    PlannedSteps planned({Tensor::ones({numbers})}, nullptr);
    planned.loss = [&planned, passes, dropped] {
      return sum(with_zeros(planned.weight(), (*passes)++ % 2 == 0 ? 0 : dropped));
    };
    return planned.asked(of_passes(), "dropout leaves enough");
  };
  CHECK(drops(10, 0).evidence == "nothing is asked");
  CHECK(drops(10, 1).evidence == "in training, mul drops 10 % of its numbers");
  CHECK(drops(1, 1).evidence == "in training, mul drops 100 % of its numbers");
  CHECK(drops(100, 64).cause.empty());
  CHECK(drops(100, 65).cause == "Dropout leaves too little: mul drops 65 % of its numbers.");
  // What was 0 altogether loses nothing.
  Index passes = 0;
  CHECK(of_pass("dropout leaves enough", [&](const Var& w) {
          return sum(with_zeros(w, passes++ % 2 == 0 ? 10 : 0));
        }).evidence == "nothing is asked");
  // The most of all operations, of numbers that were there.
  passes = 0;
  const Answer most = of_pass("dropout leaves enough", [&](const Var& w) {
    const bool second = passes++ % 2 == 1;
    const Var some = with_zeros(w, second ? 2 : 0);
    const Var many = tanh(with_zeros(some, second ? 7 : 5));
    return sum(with_zeros(many, second ? 6 : 0));
  });
  CHECK(most.evidence == "in training, mul drops 40 % of its numbers");
  // Of two in a row, each by itself: the first four, and the last three of all ten.
  passes = 0;
  const Answer in_a_row = of_pass("dropout leaves enough", [&](const Var& w) {
    const bool second = passes++ % 2 == 1;
    Tensor last = Tensor::ones({10});
    if (second) std::fill_n(last.mutable_data() + 7, 3, Real(0));
    return sum(with_zeros(w, second ? 4 : 0) * last);
  });
  CHECK(in_a_row.evidence == "in training, mul drops 40 % of its numbers");
}

namespace {

// Of two passes in training that are another each time, and one in evaluation.
std::string drops(const std::function<Var(const Var& x, Index pass)>& training,
                  const std::function<Var(const Var& x)>& evaluation) {
  Index passes = 0;
  const Answer answer = of_pass("dropout keeps size", [&](const Var& w) {
    return sum(EvaluationScope::active() ? evaluation(w) : training(w, passes++));
  });
  return answer.cause.empty() ? answer.evidence : answer.cause;
}
Var as_it_is(const Var& x) { return tanh(x); }

}  // namespace

TEST_CASE("passes: a mask of zeros and ones needs a factor, in training or in evaluation") {
  const char* const missing =
      "Dropout does not make up for what it drops: the numbers that it keeps stay as they are.";
  const auto of_one = [](const char* count) {
    return std::string("in training, chance sets numbers to 0 in ") + count +
           " operations, and leaves the others as they are";
  };
  const auto masked = [](const Var& x, Index pass) { return with_zeros(x, pass + 1); };
  CHECK(drops(masked, as_it_is) == missing);
  CHECK(drops([](const Var& x,
                 Index pass) { return Var(with_zeros(Tensor::ones({10}), pass + 1).value()) * x; },
              as_it_is) == missing);
  CHECK(drops(masked, [](const Var& x) { return x * Real(0.9); }) == of_one("1"));
  CHECK(drops(masked, [](const Var& x) { return x / Real(2); }) == of_one("1"));
  CHECK(drops([&](const Var& x, Index pass) { return masked(tanh(masked(x, pass)), pass); },
              [](const Var& x) { return x * Real(0.9) * Real(0.9); }) == of_one("2"));
  CHECK(drops([&](const Var& x, Index pass) { return masked(tanh(masked(x, pass)), pass); },
              [](const Var& x) { return x * Real(0.9); }) == missing);
  // Multiplied or divided at once, from either side, it is as large as it was.
  const std::string sound = "nothing is asked";
  CHECK(drops([&](const Var& x, Index pass) { return masked(x, pass) * Real(2); }, as_it_is) == sound);
  CHECK(drops([&](const Var& x, Index pass) { return Var(Tensor::ones({10}) * 2) * masked(x, pass); },
              as_it_is) == sound);
  CHECK(drops([&](const Var& x, Index pass) { return masked(x, pass) / Real(0.5); }, as_it_is) == sound);
  CHECK(drops(
            [&](const Var& x, Index pass) {
              const Var y = masked(x, pass);
              return tanh(x) * Real(2) + y;
            },
            as_it_is) == missing);
  // One that is the same each time, of other numbers, or of another shape, is no chance.
  CHECK(drops([](const Var& x, Index) { return with_zeros(x, 3); }, as_it_is) == sound);
  CHECK(drops([](const Var& x, Index pass) { return with_zeros(x, pass + 1, 2); }, as_it_is) == sound);
  CHECK(drops([](const Var& x, Index pass) { return x * Tensor({1}, {pass % 2 == 0 ? Real(0) : Real(1)}); },
              as_it_is) == sound);
}

}  // namespace gradual::experiments::passes_test
