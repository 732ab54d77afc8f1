// The whole matrix of slopes, row after row: Σ_i dy_i·([i = j] - e^(y_j)).
#include <cmath>

#include <gradual/core/rows/rows.hpp>

namespace gradual {

Tensor log_softmax_backward(const Tensor& y, const Tensor& dy) {
  const Index width = y.dim(-1);
  Tensor dx = Tensor::zeros(y.shape());
  for (Index r = 0; r < y.size(); r += width)
    for (Index j = r; j < r + width; ++j) {
      double slope = 0;
      for (Index i = r; i < r + width; ++i)
        slope += double(dy.data()[i]) * ((i == j ? 1 : 0) - std::exp(double(y.data()[j])));
      dx.mutable_data()[j] = static_cast<Real>(slope);
    }
  return dx;
}

}  // namespace gradual
