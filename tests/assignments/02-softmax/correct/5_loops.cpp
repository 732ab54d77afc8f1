#include <algorithm>
#include <cmath>

#include <gradual/core/rows/rows.hpp>

namespace gradual {

Tensor masked_softmax(const Tensor& x, const Indices& valid) {
  const Index width = x.dim(-1), rows = x.size() / width, repeat = rows / valid.size();
  Tensor y = Tensor::zeros(x.shape());
  for (Index r = 0; r < rows; ++r) {
    const Index there = valid[r / repeat];
    if (there == 0) continue;
    const Real* from = x.data() + r * width;
    Real* to = y.mutable_data() + r * width;
    const Real top = *std::max_element(from, from + there);
    Real total = 0;
    for (Index i = 0; i < there; ++i) total += to[i] = std::exp(from[i] - top);
    for (Index i = 0; i < there; ++i) to[i] /= total;
  }
  return y;
}

}  // namespace gradual
