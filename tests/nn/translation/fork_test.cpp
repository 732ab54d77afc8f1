// Runs that go on from a step of another.
#include <functional>

#include "runs.hpp"

using namespace gradual;

TEST_CASE("fork: what was best of its run does not count, be it the same figure or another") {
  Runs runs;
  RunSettings s = runs.settings("run");
  s.watch = "bleu";  // its negative is lower than any loss
  runs.train(s);
  RunSettings fork = runs.fork_of(s, 5, "fork");
  fork.watch = "loss";
  fork.patience = 1;
  fork.validate_every = 1;
  const NamedTensors best = runs.train_fork(fork, s);
  CHECK(read_training_log(fork.out + "/log.jsonl").size() == 8);  // each look was better than the one before
  RunSettings parts = runs.fork_of(fork, 5, "parts");
  parts.fork = s.out;
  runs.train_fork(parts, s, 6);
  parts.resume = true;
  CHECK(Runs::same(runs.train(parts), best));

  RunSettings still = runs.fork_of(s, 5, "still");
  still.schedule.peak = 0;
  CHECK(Runs::same(runs.train_fork(still, s),
                   values_of(EarlierRun(s.out, s, runs.team).after(5)->parameters())));
}

TEST_CASE("fork: a mean over snapshots has those from before it, to the bits of the run in one piece") {
  Runs runs;
  RunSettings s = runs.settings("run");
  s.validation = 0;
  RunSettings averaged = s;
  averaged.out = runs.folder / "averaged";
  averaged.average = 3;  // after steps 4, 6 and 8
  runs.train(s);
  const NamedTensors whole = runs.train(averaged);
  for (const RunSettings& origin : {averaged, s}) {
    RunSettings fork = runs.fork_of(origin, 7, "fork");
    fork.average = 3;
    CHECK(Runs::same(runs.train_fork(fork, origin), whole));
    RunSettings parts = runs.fork_of(origin, 5, "parts");
    parts.average = 3;
    runs.train_fork(parts, origin, 6);
    parts.resume = true;
    CHECK(Runs::same(runs.train(parts), whole));
  }
  const RunSettings first = runs.fork_of(averaged, 7, "first");
  runs.train_fork(first, averaged);
  CHECK(runs.refusal(runs.fork_of(first, 7, "second"), first).find("that run has the steps before") !=
        std::string::npos);
}

TEST_CASE("fork: where its run has no such step, that is named which was asked for, not a snapshot's") {
  Runs runs;
  const RunSettings s = runs.settings("run");
  runs.train(s);
  RunSettings fork = runs.fork_of(s, 11, "fork");
  fork.schedule.total = 12;
  fork.average = 3;  // after steps 8, 10 and 12
  CHECK_THAT(runs.refusal(fork, s), Contains("has 8, asked for 11"));
}

TEST_CASE("fork: one that patience ends has the snapshots that it needs, too") {
  Runs runs;
  const RunSettings s = runs.settings("run");
  runs.train(s);
  RunSettings fork = runs.fork_of(s, 5, "fork");
  fork.schedule.peak = 0;
  fork.schedule.total = 20;
  fork.average = 3;
  fork.patience = fork.validate_every = 1;
  const NamedTensors left = runs.train_fork(fork, s);
  CHECK(read_training_log(fork.out + "/log.jsonl").size() == 7);
  std::vector<std::string> models;
  for (const Index step : {2, 4, 5}) {
    models.push_back(runs.folder / std::to_string(step));
    EarlierRun(s.out, s, runs.team).after(step)->translator().save(models.back());
  }
  CHECK(Runs::same(left, mean_of_files(models)));
}

TEST_CASE("fork: other words, parameters or optimizers than those of its run are refused by name") {
  Runs runs;
  const RunSettings s = runs.settings("run");
  runs.train(s);
  const auto refusal = [&](const std::function<void(RunSettings&)>& change) {
    RunSettings fork = runs.fork_of(s, 4, "fork");
    change(fork);
    return runs.refusal(fork, s);
  };
  for (const std::string& words :
       {refusal([](RunSettings& f) { f.validation = 20; }), refusal([](RunSettings& f) { f.seed = 2; }),
        refusal([](RunSettings& f) { f.held_out = 30; }),
        refusal([](RunSettings& f) { f.language.units = TextUnits::characters; })})
    CHECK(words.find("the vocabularies must be those of the run") != std::string::npos);
  TransformerConfig wide;
  wide.width = 16;
  CHECK(refusal([&](RunSettings& f) { f.model = wide; }).find("--model, --width") != std::string::npos);
  CHECK(refusal([](RunSettings& f) { f.optimizer = "muon"; }).find("it is muon, was adam") !=
        std::string::npos);
  CHECK(refusal([](RunSettings& f) { f.ema = 0.9; }).find("--ema") != std::string::npos);
}

TEST_CASE("fork: what its run learnt from is neither tested nor watched by, even where words stay the same") {
  Runs runs;
  RunSettings s = runs.settings("run");
  std::string text;  // whichever sentences are left, there are more a than b
  for (std::size_t n = 3; n < 30; ++n) text += std::string(n, 'a') + "b\t" + std::string(n, 'a') + "b\n";
  s.tsv = runs.folder.write("counts", text);
  s.language.units = TextUnits::characters;
  runs.train(s);
  for (const Index more : {0, 1}) {
    RunSettings fork = runs.fork_of(s, 4, "fork");
    fork.seed = 2;
    fork.validation += more;
    const std::string problem = runs.refusal(fork, s);
    CHECK(problem.find("must not be what the run learnt from: \"aaa") != std::string::npos);
  }
}

TEST_CASE(
    "fork: what its run learnt from in other letters, which a model reads alike, is not tested either") {
  Runs runs;
  RunSettings s = runs.settings("run");
  std::string small, capital;
  for (std::size_t n = 3; n < 30; ++n) {
    const std::string rest = std::string(n, 'a') + "b\t" + std::string(n, 'a') + "b\n";
    small += "a" + rest;
    capital += "A" + rest;
  }
  s.tsv = runs.folder.write("small", small);
  s.language.units = TextUnits::characters;
  s.language.lower_case = true;
  runs.train(s);
  RunSettings fork = runs.fork_of(s, 4, "fork");
  fork.tsv = runs.folder.write("capital", capital);
  fork.seed = 2;
  CHECK(runs.refusal(fork, s).find("must not be what the run learnt from: \"aaa") != std::string::npos);
}
