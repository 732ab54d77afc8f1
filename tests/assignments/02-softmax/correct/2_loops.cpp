#include <cmath>

#include <gradual/core/rows/rows.hpp>

namespace gradual {

Tensor log_softmax(const Tensor& x) {
  const Index width = x.dim(-1);
  Tensor y = x;
  Real* numbers = y.mutable_data();
  for (Index r = 0; r < x.size() / width; ++r) {
    Real top = numbers[r * width], total = 0;
    for (Index i = 0; i < width; ++i) top = std::fmax(top, numbers[r * width + i]);
    for (Index i = 0; i < width; ++i) total += std::exp(numbers[r * width + i] - top);
    for (Index i = 0; i < width; ++i) numbers[r * width + i] -= top + std::log(total);
  }
  return y;
}

}  // namespace gradual
