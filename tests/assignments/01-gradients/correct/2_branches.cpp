#include <cmath>

#include <gradual/core/elements/functions.hpp>
#include <gradual/core/elements/loops.hpp>

namespace gradual {

Operation softplus_operation(const Tensor& x) {
  const auto value = [](Real v) { return v > 0 ? v + std::log(1 + std::exp(-v)) : std::log1p(std::exp(v)); };
  const auto slope = [](Real v) { return v > 0 ? 1 / (1 + std::exp(-v)) : std::exp(v) / (1 + std::exp(v)); };
  return {"softplus", map("softplus", x, value), [x, slope](const Tensor& dy) {
            return zip("softplus", dy, x, [slope](Real d, Real v) { return d * slope(v); });
          }};
}

}  // namespace gradual
