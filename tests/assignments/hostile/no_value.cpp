// Gives a tensor without a value.
#include <gradual/core/rows/rows.hpp>

namespace gradual {

Tensor softmax_backward(const Tensor& y, const Tensor& dy) {
  (void)y;
  (void)dy;
  return Tensor();
}

}  // namespace gradual
