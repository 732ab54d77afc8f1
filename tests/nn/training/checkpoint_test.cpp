#include <gradual/nn/training/checkpoint.hpp>

#include <locale>

#include <gradual/core/random.hpp>
#include <gradual/nn/training/trainer.hpp>

#include "parabola.hpp"
#include "support/catch.hpp"
#include "support/files.hpp"

using namespace gradual;

TEST_CASE("checkpoint: training goes on from a file with the bits it would have had") {
  const TestFolder folder;
  const std::string path = folder / "state.safetensors";
  const Schedule schedule{Decay::constant, 0.1, 0, 20};
  TrainerOptions options;
  options.average = 0.9;
  Parabola whole, first, second;
  Adam adam_whole(whole.parameters), adam_first(first.parameters), adam_second(second.parameters);
  Trainer trainer_whole(whole, adam_whole, schedule, options),
      trainer_first(first, adam_first, schedule, options),
      trainer_second(second, adam_second, schedule, options);
  // Looks that get worse from the third on: the rate falls, and training ends early.
  const auto watched = [](Trainer& trainer) {
    Trainer::Watching watching;
    watching.every = 2;
    watching.plateau = 1;
    watching.patience = 5;
    watching.figure = [&trainer] { return std::abs(static_cast<double>(trainer.steps_done()) - 5.1); };
    trainer.watch(watching);
  };
  for (Trainer* each : {&trainer_whole, &trainer_first, &trainer_second}) watched(*each);
  Random random_first(7), random_second(9);
  random_first.next_u64();
  trainer_whole.run(whole.batches());
  trainer_first.interrupt_when([&] { return trainer_first.steps_done() == 9; });
  trainer_first.run(first.batches());
  trainer_first.save_checkpoint(path, random_first, "a note");

  std::string note;
  trainer_second.load_checkpoint(path, random_second, [&](const std::string& found) { note = found; });
  CHECK(note == "a note");
  CHECK(trainer_second.steps_done() == 9);
  CHECK(random_second.next_u64() == random_first.next_u64());
  Index asked_for = -1;
  trainer_second.run([&](Index n) {
    if (asked_for < 0) asked_for = n;
    return second.loss();
  });
  CHECK(asked_for == 9);
  CHECK(second.p.value().to_vector() == whole.p.value().to_vector());
  CHECK((*trainer_second.averages())[0].second.to_vector() ==
        (*trainer_whole.averages())[0].second.to_vector());
  CHECK(trainer_whole.stopped_early());
  CHECK(trainer_second.steps_done() == trainer_whole.steps_done());
  CHECK(trainer_second.seconds() > trainer_first.seconds());
}

TEST_CASE("checkpoint: one that is written during a look has the parameters, not their averages") {
  const TestFolder folder;
  TrainerOptions options;
  options.average = 0.9;
  Parabola whole, later;
  Adam adam_whole(whole.parameters), adam_later(later.parameters);
  const Schedule schedule{Decay::constant, 0.1, 0, 6};
  Trainer trainer(whole, adam_whole, schedule, options), other(later, adam_later, schedule, options);
  Random random(7);
  Trainer::Watching watching;
  watching.every = 3;
  watching.figure = [&] { return static_cast<double>(trainer.steps_done()); };  // the first look is the best
  Tensor during;
  watching.improved = [&] {
    during = whole.p.value();
    trainer.save_checkpoint(folder / "state", random);
    CHECK(whole.p.value().to_vector() == during.to_vector());
  };
  trainer.watch(watching);
  trainer.run(whole.batches());
  CHECK(during.to_vector() != whole.p.value().to_vector());
  other.load_checkpoint(folder / "state", random);
  other.run(later.batches());
  CHECK(later.p.value().to_vector() == whole.p.value().to_vector());
}

TEST_CASE("checkpoint: its numbers are kept to the last bit, whatever the locale") {
  const TestFolder folder;
  const std::string path = folder / "state.safetensors";
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  Parabola problem;
  Adam adam(problem.parameters);
  const std::vector<double> numbers = {1.0 / 3, 1234567.0 + 1.0 / 1024, -0.1, 1e-300};
  TrainingState state{problem.parameters, adam, Random(1), 0, "", {}, std::vector<double>(4)};
  const std::locale before = std::locale::global(std::locale(std::locale(), new Comma));
  save_checkpoint(path, {problem.parameters, adam, Random(1), 3, "", {}, numbers});
  std::locale::global(before);
  load_checkpoint(path, state);
  CHECK(state.numbers == numbers);
}

TEST_CASE("checkpoint: one of another model, or a file that is none, is refused by name") {
  const TestFolder folder;
  const std::string path = folder / "state.safetensors";
  Parabola problem;
  Adam adam(problem.parameters);
  save_checkpoint(path, {problem.parameters, adam, Random(1), 3, ""});
  Var other = Var::parameter(Tensor::zeros({3}));
  std::vector<NamedParameter> others{{"p", other}};
  Adam other_adam(others);
  TrainingState state{others, other_adam, Random(1), 0, ""};
  CHECK_THROWS_WITH(load_checkpoint(path, state), Contains(path) && Contains("does not fit this model"));
  CHECK_THROWS_AS(load_checkpoint(folder / "none.safetensors", state), FileError);
}

TEST_CASE("checkpoint: where one does not fit, parameters, optimizer and averages are as they were") {
  const TestFolder folder;
  const std::string path = folder / "state.safetensors";
  Parabola one, other;
  Adam adam_one(one.parameters), adam_other(other.parameters);
  one.p.mutable_grad() = Tensor({2}, {1, 2});
  adam_one.step(0.1);
  const auto before = adam_one.state();
  const std::vector<Real> values = one.p.value().to_vector();
  const auto unchanged = [&] {
    const auto now = adam_one.state();
    for (std::size_t i = 0; i < before.size(); ++i)
      if (now[i].second.to_vector() != before[i].second.to_vector()) return false;
    return one.p.value().to_vector() == values;
  };
  TrainingState state{one.parameters, adam_one, Random(1), 1, "", {{"p", Tensor::zeros({2})}}};
  // A larger model, whose optimizer has all that this one needs, and more.
  std::vector<NamedParameter> more = other.parameters;
  more.push_back({"q", Var::parameter(Tensor::ones({3}))});
  Adam adam_more(more);
  const NamedTensors averages{{"p", Tensor::ones({2})}};
  save_checkpoint(path, {more, adam_more, Random(1), 3, "", averages});
  CHECK_THROWS_AS(load_checkpoint(path, state), FileError);
  CHECK(unchanged());
  save_checkpoint(path, {other.parameters, adam_other, Random(1), 3, ""});
  CHECK_THROWS_WITH(load_checkpoint(path, state),
                    Contains("there must be a tensor \"extra.p\" of shape [2]"));
  CHECK(unchanged());
  CHECK(state.steps == 1);
  // A trainer that keeps averages, and the file of one that does not.
  TrainerOptions with_average;
  with_average.average = 0.5;
  Trainer trainer(one, adam_one, {Decay::constant, 0.1, 0, 10}, with_average);
  Trainer(other, adam_other, {Decay::constant, 0.1, 0, 10}).save_checkpoint(path, Random(1));
  Random random(1);
  CHECK_THROWS_AS(trainer.load_checkpoint(path, random), FileError);
  CHECK(unchanged());
}

TEST_CASE("checkpoint: a program can refuse one by its note, and nothing has changed") {
  const TestFolder folder;
  const std::string path = folder / "state.safetensors";
  Parabola first, second;
  Adam adam_first(first.parameters), adam_second(second.parameters);
  first.p.set_value(Tensor({2}, {1, 2}));
  save_checkpoint(path, {first.parameters, adam_first, Random(1), 3, "other settings"});
  CHECK(checkpoint_note(path) == "other settings");
  TrainingState state{second.parameters, adam_second, Random(1), 0, ""};
  const std::vector<Real> before = second.p.value().to_vector();
  CHECK_THROWS_WITH(
      load_checkpoint(path, state, [](const std::string& note) { throw std::runtime_error("not " + note); }),
      "not other settings");
  CHECK(second.p.value().to_vector() == before);
  CHECK(state.steps == 0);
}
