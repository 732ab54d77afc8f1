// Whole tensors, no loop.
#include <gradual/core/elements/arithmetic.hpp>
#include <gradual/core/elements/functions.hpp>
#include <gradual/core/elements/reductions.hpp>
#include <gradual/core/rows/rows.hpp>

namespace gradual {

Tensor softmax(const Tensor& x) {
  const Tensor e = exp(x - max(x, {-1}, Axis::kept));
  return e / sum(e, {-1}, Axis::kept);
}

}  // namespace gradual
