// Each row weighs 1 / counted, or nothing.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gradual/core/rows/loss.hpp>

namespace gradual {

LossGradients cross_entropy(const Tensor& logits, const Indices& targets, const CrossEntropyOptions& options,
                            bool with_gradient) {
  const Index V = logits.dim(-1);
  LossGradients result;
  std::vector<double> weights;
  for (Index r = 0; r < targets.size(); ++r) weights.push_back(targets[r] == options.ignored ? 0 : 1);
  for (const double each : weights) result.counted += static_cast<Index>(each);
  Tensor p = logits;
  double mean = 0;
  for (Index r = 0; r < targets.size(); ++r) {
    const double weight = weights[static_cast<std::size_t>(r)] / std::max<double>(1, double(result.counted));
    Real* row = p.mutable_data() + r * V;
    const Real top = *std::max_element(row, row + V);
    double total = 0;
    for (Index j = 0; j < V; ++j) total += std::exp(double(row[j] - top));
    for (Index j = 0; j < V; ++j) {
      const double log_p = double(row[j] - top) - std::log(total);
      double q = options.label_smoothing / double(V);
      if (j == targets[r]) q += 1 - options.label_smoothing;
      mean -= weight * q * log_p;
      row[j] = static_cast<Real>(weight * (std::exp(log_p) - q));
    }
  }
  result.loss = static_cast<Real>(mean);
  if (with_gradient) result.inputs = p;
  return result;
}

}  // namespace gradual
