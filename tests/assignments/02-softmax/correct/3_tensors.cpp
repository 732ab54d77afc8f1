#include <gradual/core/elements/arithmetic.hpp>
#include <gradual/core/elements/reductions.hpp>
#include <gradual/core/rows/rows.hpp>

namespace gradual {

Tensor softmax_backward(const Tensor& y, const Tensor& dy) {
  const Tensor flow = y * dy;
  return flow - y * sum(flow, {-1}, Axis::kept);
}

}  // namespace gradual
