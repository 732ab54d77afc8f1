#include <gradual/nn/training/accuracy.hpp>

#include <algorithm>
#include <cmath>

#include <gradual/core/error.hpp>

namespace gradual {

double accuracy(const Tensor& logits, const Indices& targets) {
  const Index classes = logits.rank() > 0 ? logits.dim(-1) : 0;
  if (classes == 0 || logits.size() != targets.size() * classes)
    throw std::invalid_argument(text("accuracy: there must be a row of logits for each target: logits are ",
                                     logits.shape(), ", targets are ", targets.shape()));
  Index right = 0, all = 0;
  for (Index i = 0; i < targets.size(); ++i) {
    if (targets[i] < 0) continue;
    if (targets[i] >= classes)
      throw std::invalid_argument(text("accuracy: targets must lie below ", classes, ": got ", targets[i]));
    const Real* row = logits.data() + i * classes;
    right += std::max_element(row, row + classes) - row == targets[i] &&
             std::none_of(row, row + classes, [](Real logit) { return std::isnan(logit); });
    ++all;
  }
  return static_cast<double>(right) / static_cast<double>(std::max<Index>(all, 1));
}

}  // namespace gradual
