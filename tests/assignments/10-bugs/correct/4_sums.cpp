// The loss as log Σ e^x − Σ q·x.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gradual/core/rows/loss.hpp>

namespace gradual {

LossGradients cross_entropy(const Tensor& logits, const Indices& targets, const CrossEntropyOptions& options,
                            bool with_gradient) {
  const Index V = logits.dim(-1);
  LossGradients result;
  for (const std::int32_t target : targets) result.counted += target == options.ignored ? 0 : 1;
  const double n = result.counted == 0 ? 1 : static_cast<double>(result.counted);
  const double spread = options.label_smoothing / static_cast<double>(V);
  Tensor slopes = Tensor::zeros(logits.shape());
  double loss = 0;
  for (Index r = 0; r < targets.size(); ++r) {
    if (targets[r] == options.ignored) continue;
    std::vector<double> q(static_cast<std::size_t>(V), spread);
    q[static_cast<std::size_t>(targets[r])] += 1 - options.label_smoothing;
    const Real* x = logits.data() + r * V;
    const double top = *std::max_element(x, x + V);
    double total = 0, asked = 0;
    for (Index j = 0; j < V; ++j) {
      total += std::exp(x[j] - top);
      asked += q[static_cast<std::size_t>(j)] * (x[j] - top);
    }
    loss += std::log(total) - asked;
    for (Index j = 0; j < V; ++j)
      slopes.mutable_data()[r * V + j] =
          static_cast<Real>((std::exp(x[j] - top) / total - q[static_cast<std::size_t>(j)]) / n);
  }
  result.loss = static_cast<Real>(loss / n);
  if (with_gradient) result.inputs = slopes;
  return result;
}

}  // namespace gradual
