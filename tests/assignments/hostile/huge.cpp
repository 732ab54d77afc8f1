// A tensor too large to write.
#include <gradual/core/rows/rows.hpp>

namespace gradual {

Tensor softmax_backward(const Tensor& y, const Tensor& dy) {
  (void)y;
  (void)dy;
  return Tensor::zeros({40000000});
}

}  // namespace gradual
