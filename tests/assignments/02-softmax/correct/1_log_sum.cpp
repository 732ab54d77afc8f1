// By the logarithm of the sum, in double, from a new tensor.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gradual/core/rows/rows.hpp>

namespace gradual {

Tensor softmax(const Tensor& x) {
  const Index width = x.dim(-1), count = x.size() / width;
  std::vector<Real> numbers;
  for (Index r = 0; r < count; ++r) {
    const Real* from = x.data() + r * width;
    const double top = *std::max_element(from, from + width);
    double total = 0;
    std::for_each(from, from + width, [&](Real s) { total += std::exp(s - top); });
    for (Index i = 0; i < width; ++i)
      numbers.push_back(static_cast<Real>(std::exp(from[i] - top - std::log(total))));
  }
  return Tensor(x.shape(), numbers);
}

}  // namespace gradual
