#include <vector>

#include <gradual/core/layers/recurrent.hpp>

namespace gradual {

// In double, each sentence into a row of its own first.
StepGradients gru_step_backward(const RecurrentStep& step, const Tensor& gates, const Tensor& recurrent,
                                const Tensor& state, const Tensor& d_next, Tensor& d_inputs) {
  const Index H = state.dim(1), T = d_inputs.dim(1);
  Tensor du = Tensor::zeros(recurrent.shape()), dh = d_next;
  for (Index b = 0; b < state.dim(0); ++b) {
    if (!step.reaches(b)) continue;
    std::vector<double> row(static_cast<std::size_t>(3 * H));
    for (Index i = 0; i < H; ++i) {
      const double r = double(gates({b, i})), z = double(gates({b, H + i})), n = double(gates({b, 2 * H + i}));
      const double d = double(d_next({b, i})), u_n = double(recurrent({b, 2 * H + i}));
      const double dn = d * (1 - z) * (1 - n * n);
      row[static_cast<std::size_t>(i)] = dn * u_n * r * (1 - r);
      row[static_cast<std::size_t>(H + i)] = d * (double(state({b, i})) - n) * z * (1 - z);
      row[static_cast<std::size_t>(2 * H + i)] = dn;
      dh.mutable_data()[b * H + i] = static_cast<Real>(d * z);
    }
    for (Index j = 0; j < 3 * H; ++j) {
      const double slope = row[static_cast<std::size_t>(j)];
      d_inputs.mutable_data()[(b * T + step.number) * 3 * H + j] += static_cast<Real>(slope);
      const double share = j < 2 * H ? 1 : double(gates({b, j - 2 * H}));
      du.mutable_data()[b * 3 * H + j] = static_cast<Real>(slope * share);
    }
  }
  return {du, dh};
}

}  // namespace gradual
