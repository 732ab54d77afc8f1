#include <cmath>

#include <gradual/core/rows/rows.hpp>

namespace gradual {

Tensor softmax(const Tensor& x) {
  const Index width = x.dim(-1);
  Tensor y = x;
  for (Real *row = y.mutable_data(), *end = row + y.size(); row != end; row += width) {
    Real top = row[0], total = 0;
    for (Index i = 1; i < width; ++i)
      if (row[i] > top) top = row[i];
    for (Index i = 0; i < width; ++i) total += row[i] = std::exp(row[i] - top);
    for (Index i = 0; i < width; ++i) row[i] /= total;
  }
  return y;
}

}  // namespace gradual
