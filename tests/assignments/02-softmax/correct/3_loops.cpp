#include <gradual/core/rows/rows.hpp>

namespace gradual {

Tensor softmax_backward(const Tensor& y, const Tensor& dy) {
  const Index width = y.dim(-1);
  Tensor dx(y.shape());
  for (Index r = 0; r < y.size(); r += width) {
    Real mean = 0;
    for (Index i = r; i < r + width; ++i) mean += y.data()[i] * dy.data()[i];
    for (Index i = r; i < r + width; ++i) dx.mutable_data()[i] = y.data()[i] * (dy.data()[i] - mean);
  }
  return dx;
}

}  // namespace gradual
