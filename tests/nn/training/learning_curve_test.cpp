#include <gradual/nn/training/learning_curve.hpp>

#include <chrono>
#include <ctime>
#include <thread>

#include <gradual/autograd/operations.hpp>

#include "support/catch.hpp"
#include "support/files.hpp"

using namespace gradual;

namespace {

struct OneNumber {
  void visit(Visitor& visitor) { visitor("x", x); }
  Var x = Var::parameter(Tensor({1}, {8}));
};

}  // namespace

// Each step of rate 1 takes the slope 1 off: 8, 7, 6, …, so the losses are these numbers.
TEST_CASE("learning curve: the figure after some steps, and the mean of the losses since the look before") {
  OneNumber model;
  Sgd sgd(parameters(model));
  Trainer trainer(model, sgd, {Decay::constant, 1, 0, 6}, {0});
  LearningCurve curve;
  CHECK(curve.figure() == 0);
  std::vector<double> seen;
  curve.follow(
      trainer, 3, [&] { return static_cast<double>(model.x.value().item()) / 100; },
      [&](const LearningCurve::Point& point) { seen.push_back(point.loss); });
  trainer.run([&](Index) { return sum(model.x); });
  CHECK(seen == std::vector<double>{7.5, 5.5, 3.5});
  CHECK(curve.losses().x == std::vector<double>{2, 4, 6});
  CHECK(curve.losses().y == seen);
  CHECK(curve.figure() == Approx(0.02));
  const Series figures = curve.figures("per cent", 100);
  CHECK(figures.name == "per cent");
  CHECK(figures.y[0] == Approx(6));
  CHECK(figures.y[2] == Approx(2));
  CHECK(curve.seconds() == curve.points().back().seconds);
  CHECK(curve.gflop_a_step() == 0);  // no products
}

TEST_CASE("learning curve: operations are those of a step, also where a run goes on") {
  struct OneMatrix {
    void visit(Visitor& visitor) { visitor("x", x); }
    Var x = Var::parameter(Tensor::ones({8, 8}));
  } model;
  const TestFolder folder;
  Sgd sgd(parameters(model));
  const auto loss = [&](Index) { return sum(matmul(model.x, model.x)); };
  const auto gflop_of_run = [&](bool goes_on) {
    Trainer trainer(model, sgd, {Decay::constant, 0, 0, 8});
    Random random(1);
    if (goes_on) trainer.load_checkpoint(folder / "state", random);
    trainer.every(6, [&](const TrainingStep&) { trainer.save_checkpoint(folder / "state", random); });
    LearningCurve curve;
    curve.follow(trainer, 2, [] { return 0.0; });
    trainer.run(loss);
    return curve.gflop_a_step();
  };
  const double whole = gflop_of_run(false);
  CHECK(whole > 0);
  CHECK(gflop_of_run(true) == Approx(whole));
}

TEST_CASE("learning curve: the processors' time counts neither waiting nor looks") {
  OneNumber model;
  Sgd sgd(parameters(model));
  Trainer trainer(model, sgd, {Decay::constant, 1, 0, 4}, {0});
  const auto work = [](double seconds) {
    const std::clock_t start = std::clock();
    while (static_cast<double>(std::clock() - start) < seconds * CLOCKS_PER_SEC) {
    }
  };
  LearningCurve curve;
  CHECK(curve.processor_seconds() == 0);
  curve.follow(trainer, 2, [&] { return work(0.4), 0.0; });
  trainer.run([&](Index) {
    work(0.02);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    return sum(model.x);
  });
  CHECK(curve.processor_seconds() >= 0.08);
#ifndef _WIN32  // where std::clock() is a clock on the wall
  CHECK(curve.processor_seconds() < 0.3);
#endif
  CHECK(curve.seconds() > 0.4);
}
