#include <gradual/nn/translation/run/training_run.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <gradual/core/error.hpp>

#include "runs.hpp"

using namespace gradual;

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

TEST_CASE("training run: interrupted after one step more, it keeps that step") {
  Runs runs;
  RunSettings s = runs.settings("run");
  const NamedTensors before = runs.train(s, 4);
  s.resume = true;
  CHECK_FALSE(Runs::same(runs.train(s, 5), before));
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

TEST_CASE(
    "training run: a mean of snapshots that begins before the learning rate is at its highest is named") {
  Runs runs;
  RunSettings s = runs.settings("run");
  s.average = 3;  // of steps 4, 6 and 8
  s.schedule.warmup = 5;
  runs.train(s);
  REQUIRE(runs.warnings.size() == 1);
  CHECK(runs.warnings[0].find("from step 4 to 8, and the learning rate rises until step 5") !=
        std::string::npos);
  s.out = runs.folder / "later";
  s.schedule.warmup = 4;
  runs.train(s);
  CHECK(runs.warnings.size() == 1);
}

TEST_CASE("training run: where moving averages are watched, the model is that of the best look") {
  Runs runs;
  RunSettings s = runs.settings("run", 12);
  s.ema = 0.5;
  s.validate_every = 1;
  s.schedule.peak = 1;  // no step after the first few makes it better
  const NamedTensors left = runs.train(s);
  CHECK(Runs::same(left, values_of(parameters(Translator::load(s.out + "/best.safetensors").model()))));
  const std::vector<TrainingPoint> log = read_training_log(s.out + "/log.jsonl");
  const auto worse = [](const TrainingPoint& a, const TrainingPoint& b) {
    return a.validation_loss < b.validation_loss;
  };
  CHECK(std::min_element(log.begin(), log.end(), worse)->step < 12);
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
  s = runs.settings("none");
  s.resume = true;  // what has not begun
  CHECK_THROWS_AS(runs.train(s), FileError);
  CHECK_FALSE(std::filesystem::exists(s.out));
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

  const RunSettings fork = runs.fork_of(s, 4, "fork");
  CHECK(Runs::same(runs.train(fork, 1000, &earlier), whole));
  CHECK(read_training_log(fork.out + "/log.jsonl").size() == 8);
  CHECK(EarlierRun(fork.out, fork, runs.team).first_step() == 5);
}

TEST_CASE("training run: one that diverges says so, even where it is watched by what it writes") {
  Runs runs;
  RunSettings s = runs.settings("run");
  s.watch = "bleu";
  s.validate_every = 1;
  s.schedule.peak = std::numeric_limits<Real>::max() / 1e8;  // a product of two such weights is ∞
  s.clip = 0;
  CHECK_THROWS_AS(runs.train(s), DivergedError);
}

TEST_CASE("training run: its optimizer and its plan are what the settings say") {
  Runs runs;
  RunSettings s = runs.settings("run");
  s.accumulate = 3;
  s.r_drop = 2;
  const std::vector<NamedParameter> one{{"matrix", Var::parameter(Tensor::zeros({2, 2}))}};
  const auto has_momentum = [](const Optimizer& optimizer) {
    bool found = false;
    for (const auto& [name, tensor] : optimizer.state()) found |= name.rfind("momentum.", 0) == 0;
    return found;
  };
  CHECK_FALSE(has_momentum(*plan_options(s, 5).optimizer(one)));
  s.optimizer = "muon";
  const PlanOptions options = plan_options(s, 5);
  CHECK(has_momentum(*options.optimizer(one)));
  CHECK(options.seconds == 5);
  CHECK(options.accumulate == 3);
  CHECK(options.r_drop == 2);
  CHECK_FALSE(options.is_generated);
  CHECK(options.model.feed_forward == 8);
  s.optimizer = "none";
  CHECK_THROWS_AS(training_optimizer(one, s), std::invalid_argument);
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

TEST_CASE("earlier run: of a run that was interrupted, steps that it did not make cannot be made again") {
  Runs runs;
  const RunSettings s = runs.settings("run", 12);
  runs.train(s, 5);
  const EarlierRun run(s.out, s, runs.team);
  CHECK(run.traces(3, 5).size() == 4);
  CHECK_THROWS_WITH(run.traces(3, 9),
                    Contains("the run must have the step") && Contains("has 5, asked for 9"));
  const std::unique_ptr<TranslatorTraining> training = run.beginning();
  CHECK_THROWS_WITH(training->trainer().run([&](Index n) { return training->loss_of_batch(n); }),
                    Contains("has 5, asked for 6"));
}

TEST_CASE("earlier run: before the first difference, a rate that a plateau halved is that of the run") {
  Runs runs;
  RunSettings s = runs.settings("run", 12);
  s.schedule.peak = 10;  // so that looks get worse
  s.plateau = s.validate_every = 1;
  runs.train(s);
  const std::vector<TrainingPoint> log = read_training_log(s.out + "/log.jsonl");
  REQUIRE(log[11].learning_rate < 0.5 * log[3].learning_rate);
  const EarlierRun run(s.out, s, runs.team);
  const std::vector<StepTrace> traces = run.traces(4, 12);
  REQUIRE(traces.size() == 10);
  CHECK(traces.front().step == 3);
  const std::unique_ptr<TranslatorTraining> end = run.after(12);
  const StepTrace last = StepTracer().finish(12, end->parameters());
  const std::vector<TensorTrace>& made = traces.back().tensors;
  REQUIRE(made.size() > last.tensors.size());  // results and gradients, too
  CHECK(made.back().checksum == last.tensors.back().checksum);
}

TEST_CASE("training run: a model whose loss is not finite is an error, watched or not") {
  Runs runs;
  RunSettings s = runs.settings("run", 1);
  s.schedule = {Decay::constant, 1e30, 0, 1};
  for (const Index watched : {5, 0}) {
    s.validation = watched;
    CHECK(message_of<DivergedError>([&] { runs.train(s); }).find("must be finite") != std::string::npos);
  }
}

TEST_CASE("earlier run: settings or a text that have changed are noticed before the first step") {
  Runs runs;
  const RunSettings s = runs.settings("run");
  runs.train(s);
  RunSettings other = s;
  other.used = s.used + "width = 16\n";
  const auto problem = [&](const RunSettings& now) {
    return message_of<std::invalid_argument>([&] { EarlierRun(s.out, now, runs.team, "diff").after(0); });
  };
  CHECK(problem(other).find("diff: the settings and the text of") == 0);
  runs.folder.write("pairs", reversed_words() + "z\tz\n");
  CHECK(problem(s).find("they have changed since") != std::string::npos);
}
