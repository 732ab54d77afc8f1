// Writes where it has nothing.
#include <gradual/core/rows/rows.hpp>

namespace gradual {

Tensor softmax_backward(const Tensor& y, const Tensor& dy) {
  Tensor dx = dy;
  for (Index i = 0; i < 100000000; ++i) dx.mutable_data()[i] = y.data()[0];
  return dx;
}

}  // namespace gradual
