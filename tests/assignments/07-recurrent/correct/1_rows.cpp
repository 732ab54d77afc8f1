#include <cmath>
#include <vector>

#include <gradual/core/layers/recurrent.hpp>

namespace gradual {
namespace {

std::vector<Real> gate(const Real* a, const Real* u, Index count) {
  std::vector<Real> values;
  for (Index i = 0; i < count; ++i) {
    const Real e = std::exp(-std::abs(a[i] + u[i]));
    values.push_back(a[i] + u[i] >= 0 ? 1 / (1 + e) : e / (1 + e));
  }
  return values;
}

}  // namespace

// Gate after gate instead of number after number.
StepResult gru_step(const RecurrentStep& step, const Tensor& inputs, const Tensor& recurrent,
                    const Tensor& state) {
  const Index H = state.dim(1), T = inputs.dim(1);
  StepResult result{state, Tensor::zeros(recurrent.shape())};
  for (Index b = 0; b < state.dim(0); ++b) {
    if (!step.reaches(b)) continue;
    const Real* a = inputs.data() + 3 * H * (T * b + step.number);
    const Real* u = recurrent.data() + 3 * H * b;
    const std::vector<Real> r = gate(a, u, H), z = gate(a + H, u + H, H);
    Real* gates = result.gates.mutable_data() + 3 * H * b;
    Real* next = result.state.mutable_data() + H * b;
    std::copy(r.begin(), r.end(), gates);
    std::copy(z.begin(), z.end(), gates + H);
    for (std::size_t i = 0; i < r.size(); ++i) {
      const auto at = static_cast<Index>(i);
      const Real n = std::tanh(a[2 * H + at] + r[i] * u[2 * H + at]);
      gates[2 * H + at] = n;
      next[at] = n - z[i] * n + z[i] * next[at];
    }
  }
  return result;
}

}  // namespace gradual
