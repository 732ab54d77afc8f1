#include <algorithm>
#include <cmath>

#include <gradual/core/rows/loss.hpp>

namespace gradual {

LossGradients cross_entropy(const Tensor& logits, const Indices& targets, const CrossEntropyOptions& options,
                            bool with_gradient) {
  const Index classes = logits.dim(-1);
  const double smoothing = options.label_smoothing;
  LossGradients result;
  result.counted = targets.size() - std::count(targets.begin(), targets.end(), options.ignored);
  Tensor gradient = Tensor::zeros(logits.shape());
  const auto counted = static_cast<double>(std::max<Index>(result.counted, 1));
  double sum = 0;
  for (Index r = 0; r < targets.size(); ++r) {
    if (targets[r] == options.ignored) continue;
    const Real* x = logits.data() + r * classes;
    const auto top = static_cast<double>(*std::max_element(x, x + classes));
    double total = 0;
    for (Index j = 0; j < classes; ++j) total += std::exp(static_cast<double>(x[j]) - top);
    for (Index j = 0; j < classes; ++j) {
      const double log_p = static_cast<double>(x[j]) - top - std::log(total);
      const double q = smoothing / static_cast<double>(classes) + (j == targets[r] ? 1 - smoothing : 0);
      if (q > 0) sum -= q * log_p;
      gradient.mutable_data()[r * classes + j] = static_cast<Real>((std::exp(log_p) - q) / counted);
    }
  }
  result.loss = static_cast<Real>(sum / counted);
  if (with_gradient) result.inputs = gradient;
  return result;
}

}  // namespace gradual
