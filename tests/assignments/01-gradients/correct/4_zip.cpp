#include <gradual/core/elements/arithmetic.hpp>
#include <gradual/core/elements/broadcast.hpp>
#include <gradual/core/elements/loops.hpp>

namespace gradual {

Operation divide_operation(const Tensor& a, const Tensor& b) {
  const auto over = [](Real x, Real y) { return x / y; };
  return {"div", zip("div", a, b, over),
          [=, shape = a.shape()](const Tensor& dy) { return sum_to(zip("div", dy, b, over), shape); },
          [=, shape = b.shape()](const Tensor& dy) {
            const Tensor slopes = zip("div", a, b, [](Real x, Real y) { return -x / (y * y); });
            return sum_to(zip("div", dy, slopes, [](Real x, Real y) { return x * y; }), shape);
          }};
}

}  // namespace gradual
