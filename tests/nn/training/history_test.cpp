#include <gradual/nn/training/history.hpp>

#include <filesystem>

#include <gradual/autograd/operations.hpp>
#include <gradual/core/error.hpp>

#include "support/catch.hpp"
#include "support/files.hpp"

using namespace gradual;

namespace {

// A training with a random stream, a moving average and Adam: all of it must come again.
struct Wandering {
  Var x = Var::parameter(Tensor({3}, {1, 2, 3})).named("x");
  void visit(Visitor& visitor) { visitor("x", x); }
};

struct WanderingRun {
  Wandering model;
  Random random{7};
  Adam adam{parameters(model), {}};
  Trainer trainer;
  static Schedule schedule(Index steps) {
    Schedule schedule;
    schedule.peak = 0.1;
    schedule.warmup = 10;
    schedule.total = steps;
    return schedule;
  }
  explicit WanderingRun(Index steps) : trainer(model, adam, schedule(steps), {1, 1, 0.9}) {}
  BatchLoss loss(Index n) {
    return sum(model.x * model.x * static_cast<Real>(random.uniform()) + model.x * static_cast<Real>(n % 3));
  }
  std::vector<Real> numbers() const { return model.x.value().to_vector(); }
};

}  // namespace

TEST_CASE("history: any step comes again with the same bits") {
  const TestFolder folder;
  const std::string path = folder / "run";
  std::filesystem::create_directory(path);
  WanderingRun run(400);
  const TrainingHistory history(path, 400, 100, 0.0003);  // three of 100 bytes
  CHECK(history.every() == 100);
  std::vector<std::vector<Real>> after{run.numbers()};
  run.trainer.every(1, [&](const TrainingStep& now) {
    after.push_back(run.numbers());
    if (history.is_due(now.step)) run.trainer.save_checkpoint(history.path(now.step), run.random);
  });
  run.trainer.run([&](Index n) { return run.loss(n); });
  CHECK(TrainingHistory::latest(path, 99).empty());
  CHECK(TrainingHistory::latest(path, 250) == history.path(200));
  CHECK(TrainingHistory::latest(path, 400) == history.path(300));
  for (const Index step : {0, 1, 99, 100, 101, 250, 399, 400}) {
    WanderingRun again(400);
    make_again(again.trainer, again.random, path, step, [&](Index n) { return again.loss(n); });
    CHECK(again.numbers() == after[static_cast<std::size_t>(step)]);
  }
  // It goes on from there.
  WanderingRun further(400);
  make_again(further.trainer, further.random, path, 123, [&](Index n) { return further.loss(n); });
  further.trainer.run([&](Index n) { return further.loss(n); });
  CHECK(further.numbers() == after[400]);
  // One that is on its way goes on from where it is, if no snapshot is ahead.
  WanderingRun second(400);
  Index made = 0;
  for (const Index step : {120, 180, 330}) {
    make_again(second.trainer, second.random, path, step, [&](Index n) { return ++made, second.loss(n); });
    CHECK(second.numbers() == after[static_cast<std::size_t>(step)]);
  }
  CHECK(made == 20 + 60 + 30);
  WanderingRun none(400);
  CHECK_THROWS_WITH(make_again(none.trainer, none.random, path, 401, [&](Index n) { return none.loss(n); }),
                    Contains("it ends after step 400, asked for 401"));
  TrainingHistory::remove_after(path, 150);
  CHECK(TrainingHistory::latest(path, 400) == history.path(100));
}

TEST_CASE("history: as many snapshots as there is room for, never nearer than fifty steps") {
  CHECK(TrainingHistory("x", 2000, 2.4e6, 50).every() == 96);  // 20 snapshots of 2.4 MB
  CHECK(TrainingHistory("x", 2000, 1, 50).every() == 50);
  CHECK(TrainingHistory("x", 2000, 60e6, 50).every() == 0);
  CHECK(TrainingHistory("x", 2000, 60e6, 0).every() == 0);
  CHECK_FALSE(TrainingHistory("x", 2000, 60e6, 50).is_due(100));
  CHECK_FALSE(TrainingHistory("x", 100, 1, 50).is_due(100));  // the end has a checkpoint of its own
}

TEST_CASE("history: other files of the folder are not taken for snapshots") {
  const TestFolder folder;
  for (const char* name : {"history-.safetensors", "history-x.safetensors", "history-12.tmp",
                           "history-99999999999999999999.safetensors"})
    folder.write(name, "x");
  CHECK(TrainingHistory::latest(folder / ".", 1000000).empty());
  CHECK(TrainingHistory::latest(folder / "none", 10).empty());
}
