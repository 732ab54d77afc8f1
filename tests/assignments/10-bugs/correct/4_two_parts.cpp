// In two parts: the word that is meant, and the mean of all words.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gradual/core/rows/loss.hpp>

namespace gradual {

LossGradients cross_entropy(const Tensor& logits, const Indices& targets, const CrossEntropyOptions& options,
                            bool with_gradient) {
  const Index V = logits.dim(-1), rows = targets.size();
  const double smoothing = options.label_smoothing;
  LossGradients result;
  std::vector<Index> counts;
  for (Index r = 0; r < rows; ++r)
    if (targets[r] != options.ignored) counts.push_back(r);
  result.counted = static_cast<Index>(counts.size());
  if (with_gradient) result.inputs = Tensor::zeros(logits.shape());
  double meant = 0, all = 0;
  for (const Index r : counts) {
    const Real* x = logits.data() + r * V;
    double total = 0;
    const double top = double(*std::max_element(x, x + V));
    for (Index j = 0; j < V; ++j) total += std::exp(double(x[j]) - top);
    const double log_total = top + std::log(total);
    meant += log_total - double(x[targets[r]]);
    for (Index j = 0; j < V; ++j) all += (log_total - double(x[j])) / double(V);
    for (Index j = 0; j < V && with_gradient; ++j) {
      double slope = std::exp(double(x[j]) - log_total) - smoothing / double(V);
      if (j == targets[r]) slope -= 1 - smoothing;
      result.inputs.mutable_data()[r * V + j] = static_cast<Real>(slope / double(counts.size()));
    }
  }
  if (!counts.empty())
    result.loss = static_cast<Real>(((1 - smoothing) * meant + smoothing * all) / double(counts.size()));
  return result;
}

}  // namespace gradual
