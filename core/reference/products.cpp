#include <gradual/core/reference/products.hpp>

namespace gradual::reference {

Array matmul(const Array& a, const Array& b) {
  Array y = xt::zeros<double>({a.shape(0), b.shape(1)});
  for (std::size_t i = 0; i < a.shape(0); ++i)
    for (std::size_t p = 0; p < a.shape(1); ++p)
      for (std::size_t j = 0; j < b.shape(1); ++j) y(i, j) += a(i, p) * b(p, j);
  return y;
}

Array linear(const Array& x, const Array& weight, const Array& bias) {
  return matmul(x, xt::transpose(weight)) + bias;
}

Tensor int8_matmul(const QuantizedRows& a, const QuantizedRows& b) {
  Tensor y({a.rows, b.rows});
  for (Index i = 0; i < a.rows; ++i) {
    for (Index j = 0; j < b.rows; ++j) {
      std::int32_t sum = 0;
      for (Index p = 0; p < a.columns; ++p) sum += a.row(i)[p] * b.row(j)[p];
      y.unguarded_data()[i * b.rows + j] = a.scales.data()[i] * b.scales.data()[j] * static_cast<Real>(sum);
    }
  }
  return y;
}

}  // namespace gradual::reference
