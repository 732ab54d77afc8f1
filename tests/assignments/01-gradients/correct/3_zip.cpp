#include <gradual/core/elements/arithmetic.hpp>
#include <gradual/core/elements/broadcast.hpp>
#include <gradual/core/elements/loops.hpp>

namespace gradual {

Operation multiply_operation(const Tensor& a, const Tensor& b) {
  const auto times = [](Real x, Real y) { return x * y; };
  const auto rule = [times](const Tensor& other, const Shape& shape) {
    return [=](const Tensor& dy) { return sum_to(zip("mul", dy, other, times), shape); };
  };
  return {"mul", zip("mul", a, b, times), rule(b, a.shape()), rule(a, b.shape())};
}

}  // namespace gradual
