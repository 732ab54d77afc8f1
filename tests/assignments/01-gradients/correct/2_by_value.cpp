// The slope by the value: σ(x) = 1 - e^(-y).
#include <cmath>

#include <gradual/core/elements/functions.hpp>
#include <gradual/core/elements/loops.hpp>

namespace gradual {

Operation softplus_operation(const Tensor& x) {
  return pointwise_by_value(
      "softplus", x, [](Real v) { return std::fmax(v, Real(0)) + std::log1p(std::exp(-std::fabs(v))); },
      [](Real y) { return -std::expm1(-y); });
}

}  // namespace gradual
