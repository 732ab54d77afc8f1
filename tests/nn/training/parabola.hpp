// A problem for optimizers and trainers whose every step is known.
#pragma once

#include <vector>

#include <gradual/autograd/operations.hpp>
#include <gradual/nn/training/trainer.hpp>

namespace gradual {

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

}  // namespace gradual
