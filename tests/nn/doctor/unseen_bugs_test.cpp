#include "unseen_bugs.hpp"

#include <map>

#include <gradual/nn/doctor/doctor.hpp>
#include <gradual/nn/training/schedule.hpp>

#include "support/catch.hpp"

using namespace gradual;

namespace {

Patient patient_of_program(const unseen::Program& program) {
  Patient patient = translation_patient(*program.model, program.source_words, program.target_words);
  patient.batch = [&program](Index n) { return program.batch(n); };
  patient.begin = [&program]() -> Patient::Step {
    const auto adam = std::make_shared<Adam>(program.trained);
    return [&program, adam](const std::function<Var()>& loss, double rate) {
      zero_gradients(parameters(*program.model));
      backward(loss());
      adam->step(rate);
    };
  };
  Schedule schedule;
  schedule.peak = 0.005;
  schedule.warmup = 50;
  patient.rate = schedule;
  return patient;
}

}  // namespace

TEST_CASE("unseen bugs: each runs, so that nothing but the result is wrong") {
  for (const unseen::Bug& bug : unseen::six_bugs()) {
    INFO(bug.name);
    const unseen::Program program = bug.plant();
    const Var loss = program.model->loss(program.batch(0), {});
    backward(loss);
    CHECK(std::isfinite(loss.value().item()));
    CHECK(std::isfinite(gradient_norm(program.trained)));
  }
}

// What it said when it first met them: docs/diagnosis.md tells what of that was right. Of "no shortcuts" it
// says something or nothing, since how much of four sentences is learnt without them hangs on rounding.
TEST_CASE("unseen bugs: the doctor finds that five of them are wrong, and by which experiment") {
  const std::map<std::string, std::string> first_experiment = {
      {"two softmaxes", "one batch by heart"},
      {"heads by a reshape alone", "padding costs nothing"},
      {"an optimizer without the decoder", "update against weight"},
      {"sides sorted apart", "pairs belong together"},
      {"a norm over the words", "leaks"}};
  for (const unseen::Bug& bug : unseen::six_bugs()) {
    if (first_experiment.count(bug.name) == 0) continue;
    const unseen::Program program = bug.plant();
    const Diagnosis diagnosis = examine(patient_of_program(program));
    INFO(bug.name << "\n" << diagnosis.text());
    REQUIRE_FALSE(diagnosis.is_sound());
    CHECK(diagnosis.cause().experiment == first_experiment.at(bug.name));
  }
}
