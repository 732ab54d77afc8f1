#include <cmath>

#include <gradual/core/layers/recurrent.hpp>

namespace gradual {

// In double, from the last sentence to the first.
StepResult gru_step(const RecurrentStep& step, const Tensor& inputs, const Tensor& recurrent,
                    const Tensor& state) {
  const auto squash = [](double x) { return (1 + std::tanh(x / 2)) / 2; };
  const Index H = state.dim(1);
  StepResult result;
  result.state = state;
  result.gates = Tensor::zeros(recurrent.shape());
  for (Index b = state.dim(0) - 1; b >= 0; --b) {
    for (Index i = 0; i < H && step.reaches(b); ++i) {
      const auto sum = [&](Index part, double share) {
        return double(inputs({b, step.number, part * H + i})) + share * double(recurrent({b, part * H + i}));
      };
      const double r = squash(sum(0, 1)), z = squash(sum(1, 1)), n = std::tanh(sum(2, r));
      Real* gates = result.gates.mutable_data() + b * 3 * H + i;
      gates[0] = static_cast<Real>(r);
      gates[H] = static_cast<Real>(z);
      gates[2 * H] = static_cast<Real>(n);
      result.state.mutable_data()[b * H + i] = static_cast<Real>(n + z * (double(state({b, i})) - n));
    }
  }
  return result;
}

}  // namespace gradual
