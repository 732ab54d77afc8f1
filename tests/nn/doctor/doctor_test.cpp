#include <gradual/nn/doctor/doctor.hpp>

#include <cmath>

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

TEST_CASE("doctor: in its picture, experiments lie 22 below each other, and lines of one evidence 15") {
  const std::vector<std::string> names = experiment_names();
  Diagnosis diagnosis;
  diagnosis.findings = {{names[0], "one line", "", "", ""}, {names[1], "", "It is wrong.", "", ""}};
  for (int i = 0; i < 15; ++i) diagnosis.findings[1].evidence += "words ";  // two lines
  const XmlDocument document(draw_diagnosis(diagnosis));
  std::string placed;
  for (const auto& each : document.all("text"))
    placed += each.text + " " + std::to_string(std::lround(each.number("x"))) + "," +
              std::to_string(std::lround(each.number("y"))) + "; ";
  double width = 0;
  for (const std::string& name : names) width = std::max(width, bold_factor * text_width(name, 14));
  const std::string beside = std::to_string(std::lround(34 + width + 12));
  const std::string first =
      "✓ 12,22; " + names[0] + " 34,22; one line " + beside + ",22; ✗ 12,44; " + names[1] + " 34,44; ";
  CHECK(placed.find(first) == 0);
  CHECK_THAT(placed, Contains("words " + beside + ",44; ") &&
                         Contains("words " + beside + ",59; · 12,81; " + names[2] + " 34,81; "));
  const auto last = static_cast<long>(22 * names.size() + 15);
  CHECK_THAT(placed, Contains(names.back() + " 34," + std::to_string(last) + "; It is wrong. 12," +
                              std::to_string(last + 22)));
  CHECK(document.all("svg")[0].number("height") == static_cast<double>(last + 44));
  CHECK_THAT(XmlDocument(draw_diagnosis({})).all("text").back().text, Contains("Nothing is wrong"));
}

TEST_CASE("doctor: as text, each experiment has a line, and the cause what to try and to read") {
  Diagnosis diagnosis;
  CHECK(diagnosis.text() == "Nothing is wrong that these experiments can find.\n");
  diagnosis.findings = {{"a", "1", "", "", ""}, {"b", "2", "It is wrong.", "Mend it.", "chapter 3"}};
  CHECK(diagnosis.text() == "  a: 1\n! b: 2\n\nIt is wrong.\nTo try: Mend it.\nTo read: chapter 3\n");
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
