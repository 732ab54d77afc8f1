#include <gradual/core/elements/arithmetic.hpp>
#include <gradual/core/elements/functions.hpp>
#include <gradual/core/elements/reductions.hpp>
#include <gradual/core/rows/rows.hpp>

namespace gradual {

Tensor log_softmax_backward(const Tensor& y, const Tensor& dy) {
  return dy - exp(y) * sum(dy, {-1}, Axis::kept);
}

}  // namespace gradual
