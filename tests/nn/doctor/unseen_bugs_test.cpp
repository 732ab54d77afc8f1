#include "fifth_bugs.hpp"
#include "fourth_bugs.hpp"
#include "seventh_bugs.hpp"
#include "sixth_bugs.hpp"

#include <map>

#include "patient_of_program.hpp"
#include "support/catch.hpp"

using namespace gradual;

TEST_CASE("unseen bugs: each runs, so that nothing but the result is wrong", "[long]") {
  for (const auto& bugs :
       {unseen::six_bugs(), unseen::six_reported_bugs(), unseen::six_more_bugs(), unseen::six_later_bugs(),
        unseen::six_common_bugs(), unseen::six_student_bugs(), unseen::six_frequent_bugs()})
    for (const unseen::Bug& bug : bugs) {
      INFO(bug.name);
      const unseen::Program program = bug.plant();
      const Var loss = program.model->loss(program.batch(0), {});
      backward(loss);
      CHECK(std::isfinite(loss.value().item()));
      const bool has_gradient = std::string(bug.name) != "queries of padding masked";
      CHECK(std::isfinite(gradient_norm(program.trained)) == has_gradient);
    }
}

namespace {

// The first experiment that must have another answer than the sound one, and what its cause must say.
struct Expected {
  const char *experiment, *cause;
};

void check_diagnoses(const std::vector<unseen::Bug>& bugs, const std::map<std::string, Expected>& expected) {
  for (const unseen::Bug& bug : bugs) {
    if (expected.count(bug.name) == 0) continue;
    const unseen::Program program = bug.plant();
    const Diagnosis diagnosis = examine(unseen::patient_of_program(program));
    INFO(bug.name << "\n" << diagnosis.text());
    REQUIRE_FALSE(diagnosis.is_sound());
    CHECK(diagnosis.cause().experiment == expected.at(bug.name).experiment);
    CHECK_THAT(diagnosis.cause().cause, Contains(expected.at(bug.name).cause));
  }
}

}  // namespace

// docs/diagnosis.md tells what it said when it first met them.
TEST_CASE("unseen bugs: the doctor names the causes of the first six", "[long]") {
  check_diagnoses(
      unseen::six_bugs(),
      {{"two softmaxes", {"loss is of scores", "The softmax is taken twice"}},
       {"no shortcuts", {"shortcuts", "No shortcut leads around the attention of decoder.0"}},
       {"heads by a reshape alone", {"padding costs nothing", "how many places there are"}},
       {"an optimizer without the decoder", {"update against weight", "does not change all parameters"}},
       {"sides sorted apart", {"pairs belong together", "not aligned"}},
       {"a norm over the words", {"leaks", "all words of its sentence, and not by attention"}}});
}

TEST_CASE("unseen bugs: the doctor names the causes of the six that were reported", "[long]") {
  check_diagnoses(unseen::six_reported_bugs(),
                  {{"probabilities as logarithms", {"first loss", "below 0"}},
                   {"positions of sentences", {"words count alike", "its place in the batch"}},
                   {"a padding mask the wrong way round", {"leaks", "Words see padding"}},
                   {"one attention twice", {"dead paths", "decoder.0.cross_attention.weight learns nothing"}},
                   {"an empty memory", {"source is read", "The source is not read"}},
                   {"a shortcut that is too long", {"shortcuts", "A shortcut is too long"}}});
}

TEST_CASE("unseen bugs: the doctor names the causes of the six more", "[long]") {
  check_diagnoses(unseen::six_more_bugs(),
                  {{"zeros for the decoder", {"input is read", "does not read its input"}},
                   {"embeddings of deviation one", {"first loss", "far above that of chance"}},
                   {"queries of padding masked", {"gradient is finite", "encoder.0.self_attention"}},
                   {"a layer made at each call", {"two evaluations are equal", "made anew in each pass"}},
                   {"an end that is padding", {"loss is of scores", "The ends of sentences do not count"}},
                   {"an optimizer made at each step", {"steps remember", "does not remember"}}});
}

TEST_CASE("unseen bugs: the doctor names the causes of the fourth six", "[long]") {
  check_diagnoses(
      unseen::six_later_bugs(),
      {{"a source in the target's vocabulary", {"words differ", "looked up in another vocabulary"}},
       {"dropout of what should be kept", {"dropout leaves enough", "Dropout leaves too little"}},
       {"a relu on the scores", {"scores may be shifted", "cuts the scores of words off"}},
       {"scores by time, targets by sentence", {"leaks", "Scores meet the targets of other sentences"}},
       {"plain descent at Adam's rate", {"rate gets somewhere", "Steps are too short by far"}},
       {"a scheduler called after each batch", {"steps keep their length", "Steps grow shorter"}}});
}

TEST_CASE("unseen bugs: the doctor names the causes of the six common ones", "[long]") {
  check_diagnoses(
      unseen::six_common_bugs(),
      {{"the target is not shifted", {"target is not read", "the very word that it must say"}},
       {"the causal mask is forgotten", {"leaks", "no causal mask"}},
       {"the layers are not visited", {"all weights are known", "weights are never updated"}},
       {"scores and targets are flattened in different orders",
        {"leaks", "Scores meet the targets of other sentences"}},
       {"the learning rate is a hundred times too high", {"update against weight", "The rate is too high"}},
       {"the gradients are never set to zero", {"same batch twice", "not set to zero between steps"}}});
}

TEST_CASE("unseen bugs: the doctor names the causes of the six of students", "[long]") {
  check_diagnoses(
      unseen::six_student_bugs(),
      {{"gradients are never set to zero", {"same batch twice", "not set to zero between steps"}},
       {"a softmax before the cross-entropy", {"loss is of scores", "The softmax is taken twice"}},
       {"no causal mask in the decoder", {"leaks", "no causal mask"}},
       {"Adam at a rate of 0.1", {"same batch twice", "takes another rate than it is given"}},
       {"the target is not shifted", {"output is asked for", "does not ask for the output"}},
       {"the padding mask is inverted", {"leaks", "the mask for the lengths of sources"}}});
}

TEST_CASE("unseen bugs: the doctor names the causes of the six that are reported most often", "[long]") {
  check_diagnoses(
      unseen::six_frequent_bugs(),
      {{"labels that are not shifted", {"output is asked for", "does not ask for the output"}},
       {"a padding mask the wrong way round", {"leaks", "the mask for the lengths of sources"}},
       {"a learning rate that is too high, without warm-up", {"same batch twice", "a far too high one"}},
       {"heads joined without a transpose", {"leaks", "not by attention: by reshape"}},
       {"no causal mask", {"leaks", "no causal mask"}}});
}
