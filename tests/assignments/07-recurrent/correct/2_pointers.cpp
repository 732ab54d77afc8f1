#include <gradual/core/layers/recurrent.hpp>

namespace gradual {
namespace {

struct Slopes {
  Real r, z, n, h;
};

Slopes slopes_of(Real r, Real z, Real n, Real u, Real h, Real d) {
  const Real n_slope = d * (1 - z) * (1 - n * n);
  return {n_slope * u * r * (1 - r), d * (h - n) * z * (1 - z), n_slope, d * z};
}

}  // namespace

// A function for one number, and the loops around it.
StepGradients gru_step_backward(const RecurrentStep& step, const Tensor& gates, const Tensor& recurrent,
                                const Tensor& state, const Tensor& d_next, Tensor& d_inputs) {
  const Index B = state.dim(0), H = state.dim(1), row = 3 * H;
  StepGradients result{Tensor::zeros({B, row}), Tensor(d_next)};
  for (Index at = 0; at < B * H; ++at) {
    const Index b = at / H, i = at % H;
    if (!step.reaches(b)) continue;
    const Real *g = gates.data() + b * row + i, *u = recurrent.data() + b * row + i;
    const Slopes s = slopes_of(g[0], g[H], g[2 * H], u[2 * H], state.data()[at], d_next.data()[at]);
    const Real by_u[] = {s.r, s.z, s.n * g[0]}, by_a[] = {s.r, s.z, s.n};
    for (Index part = 0; part < 3; ++part) {
      result.recurrent.mutable_data()[b * row + part * H + i] = by_u[part];
      d_inputs.mutable_data()[(b * d_inputs.dim(1) + step.number) * row + part * H + i] += by_a[part];
    }
    result.state.mutable_data()[at] = s.h;
  }
  return result;
}

}  // namespace gradual
