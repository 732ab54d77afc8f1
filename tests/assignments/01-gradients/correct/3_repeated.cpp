// Both repeated first, then plain loops.
#include <gradual/core/elements/arithmetic.hpp>
#include <gradual/core/elements/broadcast.hpp>

namespace gradual {
namespace {

Tensor product(const Tensor& x, const Tensor& y) {
  Tensor z(x.shape());
  for (Index i = 0; i < z.size(); ++i) z.mutable_data()[i] = x.data()[i] * y.data()[i];
  return z;
}

}  // namespace

Operation multiply_operation(const Tensor& a, const Tensor& b) {
  const Shape shape = broadcast_shapes("mul", a.shape(), b.shape());
  const Tensor left = broadcast_to(a, shape), right = broadcast_to(b, shape);
  return {"mul", product(left, right),
          [right, own = a.shape()](const Tensor& dy) { return sum_to(product(dy, right), own); },
          [left, own = b.shape()](const Tensor& dy) { return sum_to(product(dy, left), own); }};
}

}  // namespace gradual
