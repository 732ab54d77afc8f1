#include <algorithm>
#include <cmath>

#include <gradual/autograd/operations.hpp>
#include <gradual/nn/doctor/experiments/training_from_here.hpp>

#include "cases.hpp"

namespace gradual::experiments::training_test {

namespace {

// A patient of one weight, whose steps and losses are planned: `move` says what becomes of the weight.
struct Planned {
  Var weight = Var::parameter(Tensor({1}, {1}));
  Patient patient =
      patient_with({batch_of({}, {}, {{1}, {1}, {1}, {1}, {1}, {1}}, {{2}, {2}, {2}, {2}, {2}, {2}})}, 0, 9);
  Index steps = 0;  // since training began

  Planned(
      const std::function<double(double weight, double rate, Index step)>& move,
      const std::function<Var(const Var& weight)>& loss = [](const Var& w) { return sum(w); }) {
    patient.parameters = {{"weight", weight}};
    patient.loss = [this, loss](const TranslationBatch&) { return loss(weight); };
    patient.begin = [this, move]() -> Patient::Step {
      steps = 0;
      return [this, move](const std::function<Var()>& of, double rate) {
        of();
        weight.set_value(Tensor(
            {1}, {static_cast<Real>(move(static_cast<double>(weight.value().item()), rate, ++steps))}));
      };
    };
    patient.rate = [](Index) { return 0.01; };
  }
  std::optional<Answer> asked(const char* name) const {
    return experiments::asked(of_training(), name, patient);
  }
};

// Where nothing but the rate decides: the loss after the first step.
Answer by_rate(const char* name, const std::function<double(double rate)>& loss) {
  return Planned([loss](double, double rate, Index) { return loss(rate); }).asked(name).value();
}

bool is(double a, double b) { return std::abs(a - b) < 1e-6 * b; }

}  // namespace

TEST_CASE("training: a few sentences are learnt by heart where the loss falls to a quarter") {
  const auto falls_to = [](double lowest) {
    return by_rate("one batch by heart", [=](double) { return lowest; });
  };
  CHECK(falls_to(0.25).cause.empty());
  CHECK(falls_to(0.25).evidence == "the loss of 4 sentences falls from 1 to 0.25");
  CHECK_THAT(falls_to(0.26).cause, Contains("It cannot even learn a few sentences by heart"));
  // At its own rate, a tenth or ten times that; a hundred and a thousand times are too much.
  const auto at_rate = [](double right) {
    return by_rate("one batch by heart", [=](double rate) { return is(rate, right) ? 0.25 : 1; }).cause;
  };
  for (const double right : {0.01, 0.001, 0.1}) CHECK(at_rate(right).empty());
  for (const double right : {1, 10}) CHECK_THAT(at_rate(right), Contains("Steps are too short by far"));
  CHECK_THAT(at_rate(0.0001), Contains("It cannot even learn"));
  // The loss of step 300 is the last that counts, and what went up again was there.
  const auto at_step = [](Index right, double rate_of_it = 0.01) {
    Planned planned(
        [=](double, double rate, Index step) { return step == right && is(rate, rate_of_it) ? 0.125 : 1; });
    return planned.asked("one batch by heart").value().cause;
  };
  CHECK(at_step(299).empty());
  CHECK_FALSE(at_step(300).empty());
  CHECK_THAT(at_step(299, 1), Contains("Steps are too short by far"));
  CHECK_THAT(at_step(300, 1), Contains("It cannot even learn"));
}

TEST_CASE("training: no more steps are made than it takes") {
  Index most = 0;
  Planned planned([&](double, double, Index step) {
    most = std::max(most, step);
    return step < 7 ? 1.0 : 0.25;
  });
  CHECK(planned.asked("one batch by heart").value().cause.empty());
  CHECK(most == 8);  // whose loss is that after seven
}

TEST_CASE(
    "training: the rate gets somewhere where it gets a tenth as far as a hundredfold, or a fortieth down") {
  const auto falls_by = [](double own, double hundredfold) {
    return by_rate("rate gets somewhere",
                   [=](double rate) { return 1 - (is(rate, 0.01) ? own : hundredfold); });
  };
  CHECK(falls_by(0.5, 0.75).evidence ==
        "the first loss is 1, after 40 steps at 0.01 0.5, at a hundred times that 0.25");
  CHECK(falls_by(0.0151, 0.15).cause.empty());
  CHECK_THAT(falls_by(0.0149, 0.15).cause, Contains("at a hundred times the rate it learns"));
  CHECK_THAT(falls_by(0.0149, 0.15).advice, Contains("Raise the rate tenfold and look again"));
  CHECK(falls_by(0.026, 0.5).cause.empty());
  CHECK_FALSE(falls_by(0.024, 0.5).cause.empty());
  CHECK(falls_by(0, -1).cause.empty());
  CHECK(falls_by(0, 0).cause.empty());
  Planned without([](double weight, double, Index) { return weight; });
  without.patient.rate = nullptr;
  CHECK_FALSE(without.asked("rate gets somewhere").has_value());
  CHECK_FALSE(without.asked("rate at the start").has_value());
}

TEST_CASE("training: of forty steps the last ten losses count, with their own batches") {
  // The loss before step n is 1/2 to the n - 30, and 8 before: 1/2 + 1/4 + … + 1/1024 is the sum of ten.
  Planned planned([](double, double, Index step) {
    return step < 30 ? 8 : std::pow(0.5, static_cast<double>(step - 29));
  });
  std::vector<Index> batches;
  const auto batch = planned.patient.batch;
  planned.patient.batch = [&](Index n) {
    batches.push_back(n);
    return batch(n);
  };
  CHECK_THAT(planned.asked("rate gets somewhere").value().evidence,
             Contains("after 40 steps at 0.01 0.0999023,"));
  REQUIRE(batches.size() == 81);  // the first of all for the case itself
  for (Index n = 0; n < 40; ++n) CHECK(batches[static_cast<std::size_t>(n) + 1] == n);
}

TEST_CASE("training: no rate is asked of steps that a run does not have") {
  Planned planned([](double weight, double, Index) { return weight; });
  planned.patient.steps = 20;
  std::vector<Index> asked;
  planned.patient.rate = [&](Index step) {
    asked.push_back(step);
    return 0.01;
  };
  CHECK(planned.asked("rate at the start").has_value());
  CHECK(planned.asked("rate gets somewhere").has_value());
  CHECK(*std::max_element(asked.begin(), asked.end()) == 20);
}

TEST_CASE("training: at the start, a slower rate is better by a tenth where steps lead astray") {
  // The rate is 0.01; in a warm-up that of step n is n/40 of it.
  const auto astray = [](double own, double warm, double tenth) {
    Planned planned([=](double, double rate, Index step) {
      const bool is_warm = step == 40 || is(rate, 0.01 * static_cast<double>(step) / 40);
      return is(rate, 0.001) && step != 4 ? tenth : is(rate, 0.01) && step != 40 ? own : is_warm ? warm : own;
    });
    return planned.asked("rate at the start").value();
  };
  CHECK(astray(1, 0.75, 0.5).evidence ==
        "after 40 steps the loss is 1, with a warm-up 0.75, at a tenth of the rate 0.5");
  CHECK(astray(1, 0.91, 1).cause.empty());
  CHECK(astray(1, 0.89, 1).cause == "The rate is too high for the first steps: there is no warm-up.");
  CHECK_THAT(astray(1, 0.89, 1).advice, Contains("Let the rate rise over the first steps"));
  CHECK(astray(1, 1, 0.91).cause.empty());
  CHECK(astray(1, 1, 0.89).cause == "The rate is too high from the start, and a warm-up does not help.");
  CHECK_THAT(astray(1, 0.91, 0.89).advice, Contains("Lower the rate to a tenth"));
}

TEST_CASE("training: the highest rate is that of the steps of a run, of 5000, or a usual one") {
  const auto highest = [](const std::function<double(Index)>& rate) {
    Patient patient = patient_with({TranslationBatch{}}, 0, 9);
    patient.rate = rate;
    return highest_rate({patient, {}});
  };
  CHECK(highest(nullptr) == 0.003);
  CHECK(highest([](Index step) { return step == 5000 ? 0.5 : 0.25; }) == 0.5);
  CHECK(highest([](Index step) { return step == 5001 || step == 0 ? 0.5 : 0.25; }) == 0.25);
  Patient of_a_hundred = patient_with({TranslationBatch{}}, 0, 9);
  of_a_hundred.rate = [](Index step) { return static_cast<double>(step); };
  of_a_hundred.steps = 100;
  CHECK(highest_rate({of_a_hundred, {}}) == 100);
}

TEST_CASE("training: the highest rate of a very long run is found in few of its steps") {
  Index asked = 0;
  Patient patient = patient_with({TranslationBatch{}}, 0, 9);
  patient.steps = Index(1) << 40;
  patient.rate = [&](Index step) {
    ++asked;
    return step == 4000 ? 0.5 : step > patient.steps / 2 ? 0.4 : 0.25;
  };
  CHECK(highest_rate({patient, {}}) == 0.5);
  CHECK(asked < 300'000);
}

TEST_CASE("training: a run that gives up has an infinite loss, and leaves the weights what they were") {
  Planned planned([](double, double, Index) -> double { throw std::runtime_error("diverged"); });
  CHECK_THAT(planned.asked("one batch by heart").value().evidence, Contains("falls from 1 to inf"));
  CHECK(planned.weight.value().item() == 1);
}

}  // namespace gradual::experiments::training_test
