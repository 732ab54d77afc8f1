#include <gradual/nn/doctor/doctor.hpp>

#include <gradual/nn/drawing/readable_text.hpp>
#include <gradual/nn/recurrent/translator.hpp>

#include "../../../examples/gallery/bugs.hpp"
#include "../diagnosis/tiny_models.hpp"
#include "sound_runs.hpp"
#include "support/catch.hpp"
#include "support/xml.hpp"

using namespace gradual;

namespace {

gallery::Training sound_training() { return gallery::Training(gallery::Setup()); }

std::vector<Tensor> numbers_of(const std::vector<NamedParameter>& parameters) {
  std::vector<Tensor> numbers;
  for (const NamedParameter& each : parameters) {
    numbers.push_back(each.variable.value());
    numbers.back().mutable_data();
  }
  return numbers;
}

void check_that_nothing_is_found(const SoundRun& run) {
  INFO(run.name);
  const Diagnosis diagnosis = run.diagnose();
  INFO(diagnosis.text());
  CHECK(diagnosis.is_sound());
}

}  // namespace

TEST_CASE("doctor: each bug of the gallery is the first cause", "[heavy]") {
  for (const gallery::Bug& bug : gallery::all_bugs()) {
    gallery::Setup setup;
    bug.plant(setup);
    gallery::Training training(setup);
    const Diagnosis diagnosis = examine(training.patient());
    INFO(bug.name << "\n" << diagnosis.text());
    REQUIRE_FALSE(diagnosis.is_sound());
    CHECK(diagnosis.cause().experiment == bug.experiment);
    CHECK_THAT(diagnosis.cause().cause, Contains(bug.cause));
    CHECK_THAT(diagnosis.cause().chapter, Contains("chapter"));
    CHECK_FALSE(diagnosis.cause().advice.empty());
  }
}

TEST_CASE("doctor: a sound training passes every experiment, and is afterwards what it was", "[long]") {
  gallery::Training training = sound_training();
  const Patient patient = training.patient();
  const std::vector<Tensor> before = numbers_of(patient.parameters);
  const Diagnosis diagnosis = examine(patient);
  INFO(diagnosis.text());
  CHECK(diagnosis.is_sound());
  std::vector<std::string> made;
  for (const Finding& each : diagnosis.findings) made.push_back(each.experiment);
  std::vector<std::string> names = experiment_names();
  // The scores of words are inside of an operation, which takes the loss as well, and so is what drops.
  for (const char* inside : {"scores may be shifted", "dropout keeps size"})
    names.erase(std::find(names.begin(), names.end(), inside));
  CHECK(made == names);
  for (std::size_t i = 0; i < before.size(); ++i) {
    const NamedParameter& each = patient.parameters[i];
    INFO(each.name);
    const Tensor& now = each.variable.value();
    CHECK(std::equal(now.begin(), now.end(), before[i].begin(), before[i].end()));
    CHECK_FALSE(each.variable.grad().defined());
  }
  CHECK_THAT(diagnosis.text(), Contains("Nothing is wrong"));
  CHECK_THROWS_AS(diagnosis.cause(), std::logic_error);
}

TEST_CASE("doctor: a recurrent translator, a language model and a classifier are examined likewise",
          "[heavy]") {
  for (const SoundRun& run : sound_runs(10)) check_that_nothing_is_found(run);
}

// All of them take a minute: gradual_tests "[sixty]".
TEST_CASE("doctor: it finds nothing in sixty sound runs", "[.][sixty]") {
  for (const SoundRun& run : sound_runs()) check_that_nothing_is_found(run);
}

TEST_CASE("doctor: its picture has a line for each experiment, and room for all that it found") {
  Diagnosis diagnosis;
  const std::string evidence =
      "the loss of a batch is 2.95845 at first, and 2.95845 when it is computed again, "
      "and this goes on for longer than a line is wide";
  for (const std::string& name : experiment_names())
    diagnosis.findings.push_back({name, evidence, "", "", ""});
  diagnosis.findings.resize(8);
  diagnosis.findings.back().cause =
      "A word sees all words of its sentence, and not by attention: " + evidence;
  const XmlDocument document(draw_diagnosis(diagnosis));
  const double width = document.all("svg")[0].number("width"),
               height = document.all("svg")[0].number("height");
  std::string words;
  double last = 0;
  for (const auto& each : document.all("text")) {
    words += each.text + " ";
    CHECK(each.number("x") + text_width(each.text, each.number("font-size")) < width);
    last = std::max(last, each.number("y"));
  }
  CHECK(last < height);
  for (const std::string& name : experiment_names()) CHECK_THAT(words, Contains(name));
  CHECK_THAT(words, Contains(diagnosis.cause().cause) && Contains("✗"));
}

TEST_CASE("doctor: a model of one's own needs its parameters, its words, batches and a loss") {
  struct Averages {
    Embedding words{12, 8, Random(1)};
    Linear output{8, 12, Random(2)};
    void visit(Visitor& visitor) {
      visitor("words", words);
      visitor("output", output);
    }
  } model;
  const auto next_words = [](Index) {
    return TranslationBatch{
        {}, Indices({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}), Indices({2, 4}, {2, 3, 4, 5, 6, 7, 8, 9})};
  };
  Patient patient = patient_of(model, [&](const TranslationBatch& batch) {
    const Var x = model.words(batch.input);
    return cross_entropy(model.output(tanh(x + mean(x, {1}, Axis::kept))), batch.output);
  });
  CHECK_THROWS_WITH(examine(patient), Contains("it has 3 parameters, 0 words, no batches and a loss"));
  patient.target_words = 12;
  patient.batch = next_words;
  const Diagnosis diagnosis = examine(patient);
  INFO(diagnosis.text());
  REQUIRE_FALSE(diagnosis.is_sound());
  CHECK(diagnosis.cause().experiment == "leaks");
  CHECK_THAT(diagnosis.cause().cause, Contains("not by attention: by add in words"));
}
