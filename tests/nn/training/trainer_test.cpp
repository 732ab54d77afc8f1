#include <gradual/nn/training/trainer.hpp>

#include <cmath>
#include <limits>
#include <locale>

#include <gradual/autograd/operations.hpp>
#include <gradual/core/memory.hpp>
#include <gradual/core/random.hpp>
#include <gradual/nn/training/checkpoint.hpp>
#include <gradual/nn/transformer/transformer.hpp>

#include "support/catch.hpp"
#include "support/files.hpp"

using namespace gradual;

TEST_CASE("schedule: the rate rises to its peak and then follows its decay") {
  Schedule schedule{Decay::inverse_square_root, 2, 4, 12};
  CHECK(schedule(1) == Approx(0.5));
  CHECK(schedule(4) == Approx(2));
  CHECK(schedule(16) == Approx(1));
  schedule.decay = Decay::linear;
  CHECK(schedule(8) == Approx(1));
  CHECK(schedule(20) == Approx(0).margin(1e-12));
  schedule.decay = Decay::cosine;
  CHECK(schedule(8) == Approx(1));
  CHECK(schedule(6) == Approx(1 + std::cos(3.14159265358979 / 4)));
  schedule.decay = Decay::constant;
  CHECK(schedule(1000) == Approx(2));
  CHECK_THROWS_WITH(decays().value("cubic"), Contains("constant, inverse-square-root, linear, cosine"));
}

namespace {

// L = Σ (p - 3)², which every optimizer should bring to 0.
struct Parabola {
  Var p = Var::parameter(Tensor({2}, {0, 10}));
  std::vector<NamedParameter> parameters{{"p", p}};
  void visit(Visitor& visitor) {
    visitor("p", p);
    visitor("mode", mode);
  }
  Mode mode;
  Var loss() const {
    const Var difference = p - Tensor({2}, {3, 3});
    return sum(difference * difference);
  }
  LossOfBatch batches() const {
    return [this](Index) { return loss(); };
  }
};

TrainerOptions with_clip(double clip, Index accumulate = 1) {
  TrainerOptions options;
  options.clip = clip;
  options.accumulate = accumulate;
  return options;
}

}  // namespace

TEST_CASE("trainer: a step reports loss, rate and the gradient's length before clipping") {
  Parabola problem;
  Sgd sgd(problem.parameters);
  Trainer trainer(problem, sgd, {Decay::constant, 0.1, 0, 10}, with_clip(1));
  const TrainingStep step = trainer.step(problem.batches());
  CHECK(step.step == 1);
  CHECK(step.loss == Approx(9 + 49));
  CHECK(step.learning_rate == Approx(0.1));
  CHECK(step.gradient_norm == Approx(std::sqrt(36 + 196)));
  // Clipped to length 1, times 0.1.
  CHECK(problem.p.value()({0}) == Approx(0.1 * 6 / std::sqrt(232.0)));
}

TEST_CASE("trainer: several batches in one step count by their words, and an empty one not at all") {
  Parabola problem;
  Sgd sgd(problem.parameters);
  Trainer trainer(problem, sgd, {Decay::constant, 0.1, 0, 10}, with_clip(0, 3));
  std::vector<Index> asked_for;
  const auto batches = [&](Index n) -> BatchLoss {
    asked_for.push_back(n);
    if (n % 3 == 0) return {sum(problem.p), 3};
    if (n % 3 == 1) return {Var(), 0};
    return {sum(problem.p) * 5, 1};
  };
  const TrainingStep step = trainer.step(batches);
  CHECK(step.loss == Approx((3 * 10 + 1 * 50) / 4.0));
  CHECK(step.gradient_norm == Approx(std::sqrt(2.0) * (3 * 1 + 1 * 5) / 4));
  CHECK(problem.p.value()({0}) == Approx(-0.1 * 2));
  CHECK(problem.p.value()({1}) == Approx(10 - 0.1 * 2));
  trainer.step(batches);
  CHECK(asked_for == std::vector<Index>{0, 1, 2, 3, 4, 5});
}

TEST_CASE("trainer: gradients of several batches are clipped by the length of their mean") {
  Parabola problem;
  Sgd sgd(problem.parameters);
  Trainer trainer(problem, sgd, {Decay::constant, 1, 0, 10}, with_clip(2, 2));
  // Means of slopes (1, 1) and (5, 5) over 1 and 3 words: (4, 4), of length 4·√2, shortened to 2.
  const TrainingStep step = trainer.step(
      [&](Index n) { return n == 0 ? BatchLoss(sum(problem.p), 1) : BatchLoss(sum(problem.p) * 5, 3); });
  CHECK(step.gradient_norm == Approx(4 * std::sqrt(2.0)));
  CHECK(problem.p.value()({0}) == Approx(-std::sqrt(2.0)));
  // And where the mean is shorter than that, though the sum is not, nothing is shortened.
  Trainer longer(problem, sgd, {Decay::constant, 1, 0, 10}, with_clip(6, 2));
  longer.step([&](Index n) { return BatchLoss(sum(problem.p) * (n == 0 ? 1 : 5), n == 0 ? 1 : 3); });
  CHECK(problem.p.value()({0}) == Approx(-std::sqrt(2.0) - 4));
}

TEST_CASE("trainer: batches that make a step together must say how many words they have, and have some") {
  Parabola problem;
  Sgd sgd(problem.parameters);
  Trainer trainer(problem, sgd, {}, with_clip(1, 2));
  CHECK_THROWS_WITH(trainer.step(problem.batches()), Contains("each must say how many words it has"));
  CHECK_THROWS_WITH(trainer.step([](Index) { return BatchLoss(Var(), 0); }), Contains("words to learn"));
  CHECK_THROWS_WITH(Trainer(problem, sgd, {}, with_clip(1, 0)), Contains("a batch at least: got 0"));
}

TEST_CASE("trainer: a loss that is not a number stops training and leaves the parameters alone") {
  Parabola problem;
  Adam adam(problem.parameters);
  Trainer trainer(problem, adam, {});
  CHECK_THROWS_WITH(
      trainer.step([&](Index) { return problem.loss() * std::numeric_limits<Real>::quiet_NaN(); }),
      Contains("must be finite") && Contains("lower learning rate"));
  CHECK(problem.p.value().to_vector() == std::vector<Real>{0, 10});
  CHECK(trainer.steps_done() == 0);
}

TEST_CASE("trainer: a run makes all steps in training mode, and what is done on the way sees the other") {
  Parabola problem;
  Sgd sgd(problem.parameters);
  Trainer trainer(problem, sgd, {Decay::constant, 1e-3, 0, 10});
  std::vector<Index> every_four, three_times, batches;
  std::vector<double> losses, means;
  std::vector<bool> modes;
  trainer.every(1, [&](const TrainingStep& now) { losses.push_back(now.loss); });
  trainer.every(4, [&](const TrainingStep& now) {
    every_four.push_back(now.step);
    means.push_back(now.loss);
    modes.push_back(problem.mode.training);
  });
  trainer.times(3, [&](const TrainingStep& now) { three_times.push_back(now.step); });
  CHECK(trainer.run([&](Index n) {
    batches.push_back(n);
    modes.push_back(problem.mode.training);
    return problem.loss();
  }));
  CHECK(batches == std::vector<Index>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  CHECK(every_four == std::vector<Index>{4, 8});
  CHECK(three_times == std::vector<Index>{4, 7, 10});
  CHECK(means[0] == Approx((losses[0] + losses[1] + losses[2] + losses[3]) / 4));
  CHECK(means[1] == Approx((losses[4] + losses[5] + losses[6] + losses[7]) / 4));
  CHECK(modes == std::vector<bool>{1, 1, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1});
  CHECK_FALSE(problem.mode.training);
}

TEST_CASE("trainer: watching keeps the best, halves the rate and ends training where nothing gets better") {
  Parabola problem;
  Sgd sgd(problem.parameters);
  Trainer trainer(problem, sgd, {Decay::constant, 1, 0, 100});
  const std::vector<double> figures{5, 4, 6, 4, 3, 3, 7, 9, 8, 10};
  std::size_t looks = 0;
  std::vector<double> best, rates;
  Trainer::Watching watching;
  watching.every = 2;
  watching.patience = 4;
  watching.plateau = 2;
  watching.figure = [&] { return figures[looks++]; };
  watching.improved = [&] { best.push_back(figures[looks - 1]); };
  trainer.watch(watching);
  trainer.every(2, [&](const TrainingStep& now) { rates.push_back(now.learning_rate); });
  CHECK(trainer.run([&](Index) { return sum(problem.p); }));
  CHECK(best == std::vector<double>{5, 4, 3});
  CHECK(rates == std::vector<double>{1, 1, 1, 1, 0.5, 0.5, 0.5, 0.25, 0.25});
  CHECK(trainer.steps_done() == 18);
  CHECK(trainer.stopped_early());
  CHECK(trainer.patience().best() == 3);
}

TEST_CASE("trainer: with a plateau of one look, each that is no better halves the rate") {
  Parabola problem;
  Sgd sgd(problem.parameters);
  Trainer trainer(problem, sgd, {Decay::constant, 1, 0, 5});
  const std::vector<double> figures{5, 6, 4, 4, 4};
  std::size_t looks = 0;
  std::vector<double> rates;
  Trainer::Watching watching;
  watching.every = watching.plateau = 1;
  watching.figure = [&] { return figures[looks++]; };
  trainer.watch(watching);
  trainer.every(1, [&](const TrainingStep& now) { rates.push_back(now.learning_rate); });
  trainer.run([&](Index) { return sum(problem.p); });
  CHECK(rates == std::vector<double>{1, 1, 0.5, 0.5, 0.25});
}

TEST_CASE("trainer: what watches sees the averages, and training has its own values again") {
  Parabola problem;
  Sgd sgd(problem.parameters);
  TrainerOptions options;
  options.average = 0.5;
  Trainer trainer(problem, sgd, {Decay::constant, 1, 0, 1}, options);
  Trainer::Watching watching;
  Real seen = 0;
  watching.figure = [&] { return seen = problem.p.value()({0}); };
  trainer.watch(watching);
  trainer.run([&](Index) { return sum(problem.p) / std::sqrt(Real(2)); });
  const auto after = static_cast<double>(problem.p.value()({0}));
  CHECK(seen == Approx(after * 9 / 11));  // a = 0·2/11 + p·9/11 after the first step
  CHECK((*trainer.averages())[0].second({0}) == Approx(after * 9 / 11));
}

TEST_CASE("trainer: a run that is interrupted or stopped says which") {
  Parabola problem;
  Sgd sgd(problem.parameters);
  Trainer trainer(problem, sgd, {Decay::constant, 1e-3, 0, 10});
  trainer.interrupt_when([&] { return trainer.steps_done() == 3; });
  CHECK_FALSE(trainer.run(problem.batches()));
  CHECK(trainer.steps_done() == 3);
  trainer.interrupt_when([] { return false; });
  trainer.every(1, [&](const TrainingStep& now) {
    if (now.step == 5) trainer.stop();
  });
  CHECK(trainer.run(problem.batches()));
  CHECK(trainer.steps_done() == 5);
}

TEST_CASE("clipping: the factor makes a gradient as long as is allowed, and leaves a shorter one alone") {
  Parabola problem;
  backward(problem.loss());
  CHECK(gradient_norm(problem.parameters) == Approx(std::sqrt(232.0)));
  CHECK(clipping_scale(std::sqrt(232.0), 5) * std::sqrt(232.0) == Approx(5));
  CHECK(clipping_scale(5, 50) == 1);
  CHECK(clipping_scale(0, 5) == 1);
}

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

TEST_CASE("trainer, adam: what no training can be made with is refused") {
  Parabola problem;
  Sgd sgd(problem.parameters);
  const auto make = [&](TrainerOptions options) { Trainer(problem, sgd, Schedule(), options); };
  CHECK_THROWS_WITH(make(with_clip(-1)), "trainer: clip must be at least 0, which clips none: got -1");
  CHECK_THROWS_AS(make(with_clip(std::nan(""))), std::invalid_argument);
  for (const double average : {-0.5, 1.0, std::nan("")}) {
    TrainerOptions options;
    options.average = average;
    CHECK_THROWS_WITH(make(options), Contains("the decay must lie in [0, 1)"));
  }
  const auto adam = [&](double beta1, double beta2, double epsilon, double decay) {
    return Adam(problem.parameters, {beta1, beta2, epsilon, decay});
  };
  CHECK_THROWS_WITH(adam(1, 0.98, 1e-9, 0), Contains("betas must lie in [0, 1)") && Contains("beta1 is 1,"));
  CHECK_THROWS_AS(adam(0.9, 1, 1e-9, 0), std::invalid_argument);
  CHECK_THROWS_AS(adam(0.9, 0.98, -1, 0), std::invalid_argument);
  CHECK_THROWS_AS(adam(0.9, 0.98, 1e-9, std::nan("")), std::invalid_argument);
  CHECK_NOTHROW(adam(0, 0, 0, 0));
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

TEST_CASE(
    "trainer: after the first steps a transformer asks the system for no more memory, whatever the batch") {
  TransformerConfig config;
  config.source_vocabulary = config.target_vocabulary = 50;
  config.width = 32;
  Transformer model(config, Random(1));
  const std::vector<NamedParameter> all = parameters(model);
  Adam adam(all);
  Trainer trainer(model, adam, {});
  Random random(2);
  const auto sentences = [&](Index count, Index length) {
    std::vector<std::int32_t> ids;
    for (Index i = 0; i < count * length; ++i) ids.push_back(static_cast<std::int32_t>(4 + random.below(46)));
    return Indices({count, length}, ids);
  };
  const auto step = [&](Index count, Index length) {
    const Indices lengths({count}, std::vector<std::int32_t>(static_cast<std::size_t>(count),
                                                             static_cast<std::int32_t>(length)));
    const TranslationBatch batch{
        {sentences(count, length), lengths}, sentences(count, length), sentences(count, length)};
    trainer.step([&](Index) { return model.loss(batch, {}); });
  };
  const std::vector<std::pair<Index, Index>> batches = {{16, 8}, {9, 14}, {32, 4}, {12, 10}};
  for (int epoch = 0; epoch < 2; ++epoch)
    for (const auto& [count, length] : batches) step(count, length);
  const auto requests = memory_statistics().system_requests;
  for (int epoch = 0; epoch < 5; ++epoch)
    for (const auto& [count, length] : batches) step(count, length);
  CHECK(memory_statistics().system_requests == requests);
}
