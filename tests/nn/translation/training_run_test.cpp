#include <gradual/nn/translation/run/training_run.hpp>

#include <cmath>
#include <filesystem>
#include <map>

#include <gradual/core/error.hpp>
#include <gradual/core/files/config_lines.hpp>
#include <gradual/nn/transformer/config.hpp>

#include "support/catch.hpp"
#include "support/files.hpp"

using namespace gradual;

namespace {

const std::string letters = "a b c d e f g h i j k l m n o p q r s t u v w x y z";

// Sentences of three words, and the same backwards.
std::string reversed_words() {
  std::string text;
  for (std::size_t i = 0; i < letters.size(); i += 2)
    for (std::size_t j = 0; j < 8; j += 2) {
      const std::string a(1, letters[i]), b(1, letters[j]);
      text += a + " " + b + " " + a + a + "\t" + a + a + " " + b + " " + a + "\n";
    }
  return text;
}

struct Runs {
  TestFolder folder;
  Communicator communicator;
  Team team{communicator};
  std::vector<std::string> warnings;

  RunSettings settings(const std::string& out, Index steps = 8) const {
    RunSettings s;
    s.tsv = folder.write("pairs", reversed_words());
    s.validation = 5;
    TransformerConfig model;
    model.width = 8;
    model.heads = 2;
    model.feed_forward = 8;
    model.encoder_layers = model.decoder_layers = 1;
    s.model = model;
    s.batch_tokens = 64;
    s.schedule.peak = 0.01;
    s.schedule.warmup = 2;
    s.schedule.total = steps;
    s.validate_every = 4;
    s.snapshot_every = 2;
    s.checkpoint_every = 3;
    s.out = folder / out;
    s.used = config_line("steps", std::to_string(steps)) + config_line("seed", "1");
    return s;
  }

  // The parameters that a run leaves which is interrupted before a step.
  NamedTensors train(const RunSettings& s, Index end = 1000, const EarlierRun* origin = nullptr) {
    const Corpora corpora = load_corpora(s);
    TrainingRun run(s, corpora, team, origin, "train",
                    [this](const std::string& w) { warnings.push_back(w); });
    Index called = 0;
    const bool finished = run.make_steps([&] { return run.trainer().steps_done() >= end; },
                                         [&](const TrainingStep&) { ++called; });
    CHECK(called == run.steps_made());
    CHECK(finished == (end >= s.schedule.total));
    run.save_what_was_made();
    if (finished) run.choose_final_model();
    return values_of(parameters(Translator::load(run.folder().model()).model()));
  }

  static bool same(const NamedTensors& a, const NamedTensors& b) {
    const auto by_name = [](const NamedTensors& tensors) {
      std::map<std::string, std::vector<Real>> numbers;
      for (const auto& [name, tensor] : tensors) numbers[name] = tensor.to_vector();
      return numbers;
    };
    return by_name(a) == by_name(b);
  }
};

}  // namespace

TEST_CASE("training run: interrupted and gone on with, it leaves the bits that it leaves in one piece") {
  Runs runs;
  const NamedTensors whole = runs.train(runs.settings("whole"));
  RunSettings parts = runs.settings("parts");
  runs.train(parts, 5);
  CHECK(read_training_log(parts.out + "/log.jsonl").size() == 5);
  parts.resume = true;
  CHECK(Runs::same(runs.train(parts), whole));
  const std::vector<TrainingPoint> log = read_training_log(parts.out + "/log.jsonl");
  REQUIRE(log.size() == 8);
  CHECK(std::isnan(log[2].validation_loss));
  CHECK(log[3].validation_loss > 0);
  CHECK(runs.warnings.empty());
}

TEST_CASE("training run: other settings in the same folder move the earlier run aside, and say so") {
  Runs runs;
  runs.train(runs.settings("run"));
  runs.train(runs.settings("run", 9));
  REQUIRE(runs.warnings.size() == 1);
  CHECK(runs.warnings[0].find("steps is 9, was 8") != std::string::npos);
  CHECK(std::filesystem::exists(runs.folder / "run/earlier-1/model.safetensors"));
}

TEST_CASE("training run: the model is the mean of its last snapshots where that is wanted, or says why not") {
  Runs runs;
  RunSettings s = runs.settings("run");
  s.average = 2;
  const NamedTensors left = runs.train(s);
  CHECK(Runs::same(left,
                   mean_of_files({s.out + "/snapshot-1.safetensors", s.out + "/snapshot-0.safetensors"})));
  CHECK(runs.warnings.empty());
  s.out = runs.folder / "none";
  s.snapshot_every = 100;
  runs.train(s);
  REQUIRE(runs.warnings.size() == 1);
  CHECK(runs.warnings[0].find("nothing to average") != std::string::npos);
}

TEST_CASE("training run: bad settings leave no folder behind, and no run writes over its own text") {
  Runs runs;
  RunSettings s = runs.settings("run");
  s.batch_tokens = 1;  // no pair fits
  CHECK_THROWS_AS(runs.train(s), std::invalid_argument);
  CHECK_FALSE(std::filesystem::exists(s.out));
  s = runs.settings("run");
  std::filesystem::create_directory(s.out);
  s.tsv = runs.folder.write("run/held-out.tsv", reversed_words());
  CHECK_THROWS_AS(runs.train(s), std::invalid_argument);
}

TEST_CASE("earlier run: any step comes again, and a run that is forked from it goes on with its bits") {
  Runs runs;
  RunSettings s = runs.settings("run");
  s.validation = 0;  // the model is that of the last step
  const NamedTensors whole = runs.train(s);
  const EarlierRun earlier(s.out, s, runs.team);
  CHECK(earlier.first_step() == 1);
  CHECK(Runs::same(values_of(earlier.after(8)->parameters()), whole));
  CHECK_FALSE(Runs::same(values_of(earlier.after(7)->parameters()), whole));
  CHECK_THROWS_AS(earlier.after(9), std::invalid_argument);
  CHECK_THROWS_AS(earlier.after(-1), std::invalid_argument);

  RunSettings fork = s;
  fork.out = runs.folder / "fork";
  fork.fork = s.out;
  fork.at_step = 4;
  CHECK(Runs::same(runs.train(fork, 1000, &earlier), whole));
  CHECK(read_training_log(fork.out + "/log.jsonl").size() == 8);
  CHECK(EarlierRun(fork.out, fork, runs.team).first_step() == 5);
}

TEST_CASE("earlier run: steps that this program makes otherwise than the log has are refused") {
  Runs runs;
  const RunSettings s = runs.settings("run");
  runs.train(s);
  RunSettings other = s;
  other.label_smoothing = 0.3;
  const std::string problem =
      message_of<std::runtime_error>([&] { EarlierRun(s.out, other, runs.team).after(3); });
  CHECK(problem.find("in step 1 the loss is") != std::string::npos);
}

TEST_CASE("earlier run: two runs are told apart by their first step and its first tensor") {
  Runs runs;
  const RunSettings s = runs.settings("run");
  RunSettings other = runs.settings("other");
  runs.train(s);
  const EarlierRun first(s.out, s, runs.team);
  other.label_smoothing = 0.2;
  runs.train(other);
  const RunDifference found = run_difference(first, EarlierRun(other.out, other, runs.team));
  CHECK(found.settings.empty());  // as they were written down
  REQUIRE(found.log);
  CHECK(found.log->step == 1);
  REQUIRE(found.tensor);
  CHECK(found.tensor->step == 1);
  CHECK(run_difference(first, EarlierRun(s.out, s, runs.team)).is_none());
}
