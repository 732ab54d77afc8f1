// Whole tensors: hidden scores become the lowest that a float holds, and their exponentials are masked once
// more.
#include <limits>

#include <gradual/core/elements/arithmetic.hpp>
#include <gradual/core/elements/functions.hpp>
#include <gradual/core/elements/reductions.hpp>

#include "03-attention/attention.hpp"

namespace gradual {

Tensor attention_weights(const Tensor& scores, const Tensor& visible) {
  const Tensor lowest = Tensor::scalar(std::numeric_limits<Real>::lowest());
  const Tensor seen = where(visible, scores, lowest);
  const Tensor e = exp(seen - max(seen, {-1}, Axis::kept)) * visible;
  const Tensor total = sum(e, {-1}, Axis::kept);
  return e / maximum(total, Tensor::scalar(std::numeric_limits<Real>::min()));
}

}  // namespace gradual
