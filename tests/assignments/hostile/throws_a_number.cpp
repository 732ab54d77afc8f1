// Throws what is no exception.
#include <gradual/core/rows/rows.hpp>

namespace gradual {

Tensor softmax_backward(const Tensor& y, const Tensor& dy) {
  (void)y;
  (void)dy;
  throw 42;
}

}  // namespace gradual
