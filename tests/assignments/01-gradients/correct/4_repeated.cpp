// Both repeated first, then plain loops.
#include <gradual/core/elements/arithmetic.hpp>
#include <gradual/core/elements/broadcast.hpp>

namespace gradual {

Operation divide_operation(const Tensor& a, const Tensor& b) {
  const Shape shape = broadcast_shapes("div", a.shape(), b.shape());
  const Tensor left = broadcast_to(a, shape), right = broadcast_to(b, shape);
  Tensor y = left;
  for (Index i = 0; i < y.size(); ++i) y.mutable_data()[i] /= right.data()[i];
  const auto rule_a = [right, own = a.shape()](Tensor dy) {
    for (Index i = 0; i < dy.size(); ++i) dy.mutable_data()[i] /= right.data()[i];
    return sum_to(dy, own);
  };
  const auto rule_b = [left, right, own = b.shape()](Tensor dy) {
    for (Index i = 0; i < dy.size(); ++i)
      dy.mutable_data()[i] *= -left.data()[i] / right.data()[i] / right.data()[i];
    return sum_to(dy, own);
  };
  return {"div", y, rule_a, rule_b};
}

}  // namespace gradual
