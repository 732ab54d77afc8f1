#include <gradual/core/reference/products.hpp>

namespace gradual::reference {

Array matmul(const Array& a, const Array& b) {
  Array y = xt::zeros<double>({a.shape(0), b.shape(1)});
  for (std::size_t p = 0; p < a.shape(1); ++p)
    y += xt::view(a, xt::all(), xt::range(p, p + 1)) * xt::view(b, xt::range(p, p + 1), xt::all());
  return y;
}

Array linear(const Array& x, const Array& weight, const Array& bias) {
  return matmul(x, xt::transpose(weight)) + bias;
}

}  // namespace gradual::reference
