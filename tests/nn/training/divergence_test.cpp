// A training that diverges, explained.
#include <gradual/autograd/observer.hpp>
#include <gradual/nn/layers/layers.hpp>
#include <gradual/nn/training/trainer.hpp>

#include "support/catch.hpp"
#include "support/tensors.hpp"

using namespace gradual;

namespace {

// Takes a logarithm of what dropout and a few steps may make 0.
struct Fragile {
  Random random{1};
  Linear linear{4, 4, random};
  Dropout dropout{0.5, random};
  void visit(Visitor& visitor) {
    visitor("linear", linear);
    visitor("dropout", dropout);
  }
};

struct Masks : GraphObserver {
  void forward(const char* operation, const Var& y, const std::vector<Var>&) override {
    if (operation == std::string("dropout")) values.push_back(y.value().to_vector());
  }
  std::vector<std::vector<Real>> values;
};

}  // namespace

TEST_CASE("trainer: a step that diverged is made again with the same random numbers, and explained") {
  Fragile model;
  Adam adam(parameters(model));
  Trainer trainer(model, adam, {Decay::constant, 1e-3, 1, 10});
  trainer.explain_divergence(model.random);
  const Var x = random_tensor({3, 4}, 2);
  const std::vector<Real> before = model.linear.weight.value().to_vector();
  Masks masks;
  const auto loss = [&](Index) -> BatchLoss {
    return sum(log(model.dropout(model.linear(x) * model.linear(x))));
  };
  CHECK_THROWS_WITH(
      trainer.run(loss),
      Contains("training step 1: the loss and its gradient must be finite: loss is -inf") &&
          Contains(
              "; the first such number: log: the result must be finite where the inputs are: result [3, 4]"));
  REQUIRE(masks.values.size() == 2);
  CHECK(masks.values[0] == masks.values[1]);
  CHECK(model.linear.weight.value().to_vector() == before);
  CHECK(trainer.steps_done() == 0);
}

TEST_CASE("trainer: a step that does not diverge, and one that nobody wants explained, is made once") {
  Fragile model;
  Adam adam(parameters(model));
  Trainer trainer(model, adam, {Decay::constant, 1e-3, 1, 2});
  int calls = 0;
  trainer.explain_divergence(model.random);
  trainer.run([&](Index) -> BatchLoss { return ++calls, sum(model.linear.weight * model.linear.weight); });
  CHECK(calls == 2);

  Trainer silent(model, adam, {Decay::constant, 1e-3, 1, 2});
  CHECK_THROWS_WITH(
      silent.run([&](Index) -> BatchLoss { return ++calls, sum(log(model.linear.weight * 0)); }),
      !Contains("the first such number"));
  CHECK(calls == 3);
}
