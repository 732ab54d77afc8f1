#include <cmath>

#include <gradual/core/layers/recurrent.hpp>

namespace gradual {

StepResult gru_step(const RecurrentStep& step, const Tensor& inputs, const Tensor& recurrent,
                    const Tensor& state) {
  const Index B = state.dim(0), H = state.dim(1), T = inputs.dim(1);
  StepResult result{state, Tensor::zeros(recurrent.shape())};
  for (Index b = 0; b < B; ++b) {
    if (!step.reaches(b)) continue;
    const Real* a = inputs.data() + (b * T + step.number) * 3 * H;
    const Real* u = recurrent.data() + b * 3 * H;
    Real* gates = result.gates.mutable_data() + b * 3 * H;
    Real* h = result.state.mutable_data() + b * H;
    for (Index i = 0; i < H; ++i) {
      const Real r = 1 / (1 + std::exp(-(a[i] + u[i])));
      const Real z = 1 / (1 + std::exp(-(a[H + i] + u[H + i])));
      const Real n = std::tanh(a[2 * H + i] + r * u[2 * H + i]);
      gates[i] = r;
      gates[H + i] = z;
      gates[2 * H + i] = n;
      h[i] = (1 - z) * n + z * h[i];
    }
  }
  return result;
}

}  // namespace gradual
