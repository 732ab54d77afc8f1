#include <gradual/core/layers/recurrent.hpp>

namespace gradual {

// One chain after the other: to n, to z, to r.
StepGradients gru_step_backward(const RecurrentStep& step, const Tensor& gates, const Tensor& recurrent,
                                const Tensor& state, const Tensor& d_next, Tensor& d_inputs) {
  const Index H = state.dim(1);
  StepGradients slopes{Tensor::zeros(recurrent.shape()), Tensor::zeros(state.shape())};
  for (Index b = 0; b < state.dim(0); ++b) {
    for (Index i = 0; i < H; ++i) {
      const Real d = d_next({b, i});
      Real& dh = slopes.state.mutable_data()[b * H + i];
      if (!step.reaches(b)) {
        dh = d;
        continue;
      }
      const Real r = gates({b, i}), z = gates({b, H + i}), n = gates({b, 2 * H + i});
      Real* du = slopes.recurrent.mutable_data() + b * 3 * H + i;
      Real* da = d_inputs.mutable_data() + (b * d_inputs.dim(1) + step.number) * 3 * H + i;
      dh = z * d;
      const Real by_n = (d - dh) * (1 + n) * (1 - n);
      const Real by_z = (state({b, i}) - n) * dh * (1 - z);
      const Real by_r = by_n * recurrent({b, 2 * H + i}) * (r - r * r);
      du[0] += by_r;
      du[H] += by_z;
      du[2 * H] += r * by_n;
      da[0] += by_r;
      da[H] += by_z;
      da[2 * H] += by_n;
    }
  }
  return slopes;
}

}  // namespace gradual
