// The slope as 1/cosh², by x.
#include <cmath>

#include <gradual/core/elements/functions.hpp>
#include <gradual/core/elements/loops.hpp>

namespace gradual {

Operation tanh_operation(const Tensor& x) {
  return pointwise(
      "tanh", x, [](Real v) { return std::tanh(v); },
      [](Real v) { return 1 / (std::cosh(v) * std::cosh(v)); });
}

}  // namespace gradual
