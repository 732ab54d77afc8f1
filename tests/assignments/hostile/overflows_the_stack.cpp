// Calls itself for ever.
#include <gradual/core/rows/rows.hpp>

namespace gradual {

Tensor softmax_backward(const Tensor& y, const Tensor& dy) {
  Tensor deeper = dy;
  deeper.mutable_data()[0] += 1;
  return softmax_backward(y, softmax_backward(deeper, y));
}

}  // namespace gradual
