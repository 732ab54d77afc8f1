// The whole matrix of slopes, row after row: Σ_i dy_i·(y_i·[i = j] - y_i·y_j).
#include <iostream>

#include <gradual/core/rows/rows.hpp>

namespace gradual {

Tensor softmax_backward(const Tensor& y, const Tensor& dy) {
  const Index width = y.dim(-1);
  Tensor dx = Tensor::zeros(y.shape());
  std::cout << "to see what comes in: " << y << dy << "\n";
  Real* to = dx.mutable_data();
  for (Index r = 0; r < y.size() / width; ++r) {
    const Real *weights = y.data() + r * width, *slopes = dy.data() + r * width;
    for (Index j = 0; j < width; ++j)
      for (Index i = 0; i < width; ++i)
        to[r * width + j] += slopes[i] * (i == j ? weights[i] * (1 - weights[i]) : -weights[i] * weights[j]);
  }
  return dx;
}

}  // namespace gradual
