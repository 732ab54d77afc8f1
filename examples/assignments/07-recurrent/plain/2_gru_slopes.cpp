#include <gradual/core/layers/recurrent.hpp>

namespace gradual {

StepGradients gru_step_backward(const RecurrentStep& step, const Tensor& gates, const Tensor& recurrent,
                                const Tensor& state, const Tensor& d_next, Tensor& d_inputs) {
  const Index B = state.dim(0), H = state.dim(1), T = d_inputs.dim(1);
  StepGradients slopes{Tensor::zeros(recurrent.shape()), d_next};
  for (Index b = 0; b < B; ++b) {
    if (!step.reaches(b)) continue;
    const Real* gate = gates.data() + b * 3 * H;
    Real* du = slopes.recurrent.mutable_data() + b * 3 * H;
    Real* da = d_inputs.mutable_data() + (b * T + step.number) * 3 * H;
    for (Index i = 0; i < H; ++i) {
      const Real r = gate[i], z = gate[H + i], n = gate[2 * H + i];
      const Real d = d_next.data()[b * H + i], h = state.data()[b * H + i];
      const Real dn = d * (1 - z) * (1 - n * n);
      const Real dz = d * (h - n) * z * (1 - z);
      const Real dr = dn * recurrent.data()[b * 3 * H + 2 * H + i] * r * (1 - r);
      du[i] = dr;
      du[H + i] = dz;
      du[2 * H + i] = dn * r;
      da[i] += dr;
      da[H + i] += dz;
      da[2 * H + i] += dn;
      slopes.state.mutable_data()[b * H + i] = d * z;
    }
  }
  return slopes;
}

}  // namespace gradual
