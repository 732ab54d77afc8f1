#include <gradual/core/elements/vector_math.hpp>
#include <gradual/core/layers/recurrent.hpp>

namespace gradual {

// With the library's own tanh and logistic function, and pointers that go along.
StepResult gru_step(const RecurrentStep& step, const Tensor& inputs, const Tensor& recurrent,
                    const Tensor& state) {
  const Index H = state.dim(1);
  StepResult made{Tensor(state.shape()), Tensor::zeros(recurrent.shape())};
  const Real *h = state.data(), *u = recurrent.data();
  const Real* a = inputs.data() + step.number * 3 * H;
  Real *to = made.state.mutable_data(), *gates = made.gates.mutable_data();
  for (Index b = 0; b < state.dim(0); ++b) {
    for (Index i = 0; i < H; ++i) {
      to[i] = h[i];
      if (!step.reaches(b)) continue;
      gates[i] = logistic(a[i] + u[i]);
      gates[H + i] = logistic(a[H + i] + u[H + i]);
      gates[2 * H + i] = vector_tanh(a[2 * H + i] + gates[i] * u[2 * H + i]);
      to[i] += (1 - gates[H + i]) * (gates[2 * H + i] - h[i]);
    }
    h += H;
    to += H;
    u += 3 * H;
    gates += 3 * H;
    a += inputs.dim(1) * 3 * H;
  }
  return made;
}

}  // namespace gradual
