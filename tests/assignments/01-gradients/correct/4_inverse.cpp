// A product with the inverse.
#include <gradual/core/elements/arithmetic.hpp>
#include <gradual/core/elements/broadcast.hpp>
#include <gradual/core/elements/loops.hpp>

namespace gradual {

Operation divide_operation(const Tensor& a, const Tensor& b) {
  const Tensor inverse = map("div", b, [](Real v) { return 1 / v; }), y = a * inverse;
  return {"div", y, [inverse, shape = a.shape()](const Tensor& dy) { return sum_to(dy * inverse, shape); },
          [inverse, y, shape = b.shape()](const Tensor& dy) { return -sum_to(dy * y * inverse, shape); }};
}

}  // namespace gradual
