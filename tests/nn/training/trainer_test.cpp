#include <gradual/nn/training/trainer.hpp>

#include <cmath>
#include <limits>

#include <gradual/autograd/operations.hpp>
#include <gradual/core/memory.hpp>
#include <gradual/core/random.hpp>
#include <gradual/nn/transformer/transformer.hpp>

#include "parabola.hpp"
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

TEST_CASE("trainer: steps that are made one by one move the average, too") {
  Parabola problem;
  Sgd sgd(problem.parameters);
  TrainerOptions options;
  options.average = 0.5;
  Trainer trainer(problem, sgd, {Decay::constant, 1, 0, 5}, options);
  trainer.step([&](Index) { return sum(problem.p) / std::sqrt(Real(2)); });
  CHECK((*trainer.averages())[0].second({0}) == Approx(static_cast<double>(problem.p.value()({0})) * 9 / 11));
}

TEST_CASE("trainer: a callback may ask for others, which begin with the next step") {
  Parabola problem;
  Sgd sgd(problem.parameters);
  Trainer trainer(problem, sgd, {Decay::constant, 1e-3, 0, 3});
  std::vector<Index> asked_for;
  trainer.every(1, [&](const TrainingStep& now) {
    for (int i = 0; now.step == 1 && i < 100; ++i)
      trainer.every(1, [&](const TrainingStep& later) { asked_for.push_back(later.step); });
  });
  CHECK(trainer.run(problem.batches()));
  CHECK(std::count(asked_for.begin(), asked_for.end(), 2) == 100);
  CHECK(asked_for.size() == 200);
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

TEST_CASE("trainer: one that goes on from a checkpoint begins its means anew, and is not stopped any more") {
  Parabola problem;
  Sgd sgd(problem.parameters);
  Trainer trainer(problem, sgd, {Decay::constant, 0, 0, 10});  // the loss stays the same
  const TestFolder folder;
  Random random(1);
  trainer.save_checkpoint(folder / "start", random);
  std::vector<Index> seen;
  double factor = 1;
  trainer.every(4, [&](const TrainingStep& now) {
    CHECK(now.loss == Approx(factor * 58));  // (0 - 3)² + (10 - 3)²
    seen.push_back(now.step);
  });
  const auto stop = [&](const TrainingStep& now) {
    if (factor == 1 && now.step == 6) trainer.stop();
  };
  trainer.every(1, stop);
  const auto batches = [&](Index) { return Real(factor) * problem.loss(); };
  CHECK(trainer.run(batches));
  CHECK(seen == std::vector<Index>{4});
  CHECK(trainer.stopped_early());
  trainer.load_checkpoint(folder / "start", random);
  CHECK_FALSE(trainer.stopped_early());
  factor = 2;
  CHECK(trainer.run(batches));
  CHECK(seen == std::vector<Index>{4, 4, 8});
}

TEST_CASE("clipping: the factor makes a gradient as long as is allowed, and leaves a shorter one alone") {
  Parabola problem;
  backward(problem.loss());
  CHECK(gradient_norm(problem.parameters) == Approx(std::sqrt(232.0)));
  CHECK(clipping_scale(std::sqrt(232.0), 5) * std::sqrt(232.0) == Approx(5));
  CHECK(clipping_scale(5, 50) == 1);
  CHECK(clipping_scale(0, 5) == 1);
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
