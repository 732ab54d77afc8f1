// Scores of -∞ for padding, and a row of them alone seen to.
#include <cmath>
#include <limits>

#include <gradual/core/rows/rows.hpp>

namespace gradual {

Tensor masked_softmax(const Tensor& x, const Indices& valid) {
  const Real none = -std::numeric_limits<Real>::infinity();
  const Index width = x.dim(-1), rows = x.size() / width;
  Tensor y = x;
  Real* row = y.mutable_data();
  for (Index r = 0; r < rows; ++r, row += width) {
    Real top = none, total = 0;
    for (Index i = 0; i < width; ++i) {
      if (i >= valid[r * valid.size() / rows]) row[i] = none;
      top = std::fmax(top, row[i]);
    }
    for (Index i = 0; i < width; ++i) total += row[i] = top == none ? 0 : std::exp(row[i] - top);
    for (Index i = 0; i < width; ++i) row[i] = total == 0 ? 0 : row[i] / total;
  }
  return y;
}

}  // namespace gradual
