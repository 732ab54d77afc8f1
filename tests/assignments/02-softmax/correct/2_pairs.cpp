// The sum grown number by number: log(e^a + e^b) = max + log1p(e^(min - max)).
#include <algorithm>
#include <cmath>

#include <gradual/core/rows/rows.hpp>

namespace gradual {
namespace {

double log_of_sum(double a, double b) { return std::max(a, b) + std::log1p(std::exp(-std::abs(a - b))); }

}  // namespace

Tensor log_softmax(const Tensor& x) {
  const Index width = x.dim(-1);
  Tensor y(x.shape());
  for (Index first = 0; first < x.size(); first += width) {
    double sum = x.data()[first];
    for (Index i = 1; i < width; ++i) sum = log_of_sum(sum, x.data()[first + i]);
    for (Index i = 0; i < width; ++i)
      y.mutable_data()[first + i] = static_cast<Real>(x.data()[first + i] - sum);
  }
  return y;
}

}  // namespace gradual
