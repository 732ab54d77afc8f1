#include <cmath>
#include <numeric>

#include <gradual/core/rows/rows.hpp>

namespace gradual {

Tensor log_softmax_backward(const Tensor& y, const Tensor& dy) {
  const Index width = y.dim(-1);
  Tensor dx = dy;
  for (Index r = 0; r < y.size() / width; ++r) {
    const Real* slopes = dy.data() + r * width;
    const Real total = std::accumulate(slopes, slopes + width, Real(0));
    for (Index i = 0; i < width; ++i)
      dx.mutable_data()[r * width + i] -= std::exp(y.data()[r * width + i]) * total;
  }
  return dx;
}

}  // namespace gradual
