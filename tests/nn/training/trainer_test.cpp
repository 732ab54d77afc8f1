#include <gradual/nn/training/trainer.hpp>

#include <cmath>
#include <limits>

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
  Var loss() const {
    const Var difference = p - Tensor({2}, {3, 3});
    return sum(difference * difference);
  }
};

}  // namespace

TEST_CASE("trainer: a step reports loss, rate and the gradient's length before clipping") {
  Parabola problem;
  Sgd sgd(problem.parameters);
  Trainer trainer(problem.parameters, sgd, {Decay::constant, 0.1, 0, 10}, 1);
  const TrainingStep step = trainer.step({[&] { return problem.loss(); }});
  CHECK(step.step == 1);
  CHECK(step.loss == Approx(9 + 49));
  CHECK(step.learning_rate == Approx(0.1));
  CHECK(step.gradient_norm == Approx(std::sqrt(36 + 196)));
  // Clipped to length 1, times 0.1.
  CHECK(problem.p.value()({0}) == Approx(0.1 * 6 / std::sqrt(232.0)));
}

TEST_CASE("trainer: several losses in one step are as good as their mean") {
  Parabola together, apart;
  Sgd one(together.parameters), many(apart.parameters);
  Trainer trainer_one(together.parameters, one, {Decay::constant, 0.1, 0, 10}, 0),
      trainer_many(apart.parameters, many, {Decay::constant, 0.1, 0, 10}, 0);
  trainer_one.step({[&] { return (together.loss() + sum(together.p)) * Real(0.5); }});
  trainer_many.step({[&] { return apart.loss(); }, [&] { return sum(apart.p); }});
  CHECK(apart.p.value()({0}) == Approx(together.p.value()({0})));
  CHECK(apart.p.value()({1}) == Approx(together.p.value()({1})));
}

TEST_CASE("trainer: a loss that is not a number stops training and leaves the parameters alone") {
  Parabola problem;
  Adam adam(problem.parameters);
  Trainer trainer(problem.parameters, adam, {}, 1);
  CHECK_THROWS_WITH(trainer.step({[&] { return problem.loss() * std::numeric_limits<Real>::quiet_NaN(); }}),
                    Contains("must be finite") && Contains("lower learning rate"));
  CHECK(problem.p.value().to_vector() == std::vector<Real>{0, 10});
  CHECK(trainer.steps_done() == 0);
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
  const Schedule schedule{Decay::constant, 0.1, 0, 100};
  Parabola whole, first, second;
  Adam adam_whole(whole.parameters), adam_first(first.parameters), adam_second(second.parameters);
  Trainer trainer_whole(whole.parameters, adam_whole, schedule, 0),
      trainer_first(first.parameters, adam_first, schedule, 0),
      trainer_second(second.parameters, adam_second, schedule, 0);
  Random random_first(7), random_second(9);
  random_first.next_u64();
  for (int i = 0; i < 10; ++i) trainer_whole.step({[&] { return whole.loss(); }});
  for (int i = 0; i < 5; ++i) trainer_first.step({[&] { return first.loss(); }});
  save_checkpoint(path, {first.parameters, adam_first, random_first, trainer_first.steps_done(), "a note"});

  TrainingState state{second.parameters, adam_second, random_second, 0, ""};
  load_checkpoint(path, state);
  CHECK(state.steps == 5);
  CHECK(state.note == "a note");
  CHECK(random_second.next_u64() == random_first.next_u64());
  trainer_second.set_steps_done(state.steps);
  for (int i = 0; i < 5; ++i) trainer_second.step({[&] { return second.loss(); }});
  CHECK(second.p.value().to_vector() == whole.p.value().to_vector());
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
  Trainer trainer(all, adam, {}, 1);
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
    trainer.step({[&] { return model.loss(batch, {}); }});
  };
  const std::vector<std::pair<Index, Index>> batches = {{16, 8}, {9, 14}, {32, 4}, {12, 10}};
  for (int epoch = 0; epoch < 2; ++epoch)
    for (const auto& [count, length] : batches) step(count, length);
  const auto requests = memory_statistics().system_requests;
  for (int epoch = 0; epoch < 5; ++epoch)
    for (const auto& [count, length] : batches) step(count, length);
  CHECK(memory_statistics().system_requests == requests);
}
