#include <gradual/core/elements/broadcast.hpp>

#include <gradual/core/checks.hpp>
#include <gradual/core/elements/loops.hpp>
#include <gradual/core/elements/reductions.hpp>

namespace gradual {

Tensor broadcast_to(const Tensor& x, const Shape& shape) {
  check_defined("broadcast_to", "x", x);
  if (x.shape() == shape) return x;
  if (broadcast_shapes("broadcast_to", x.shape(), shape) != shape)
    throw std::invalid_argument(
        text("broadcast_to: x must be repeatable to the shape: x is ", x.shape(), ", shape is ", shape));
  Tensor y(shape);
  const Broadcast plan(shape, x.shape(), x.shape());
  if (y.size() == 0) return y;
  parallel_each_row(plan.rows, plan.width, [=, from = x.data(), to = y.unguarded_data()](Index row) {
    const Real* start = from + plan.start(row).a;
    if (plan.a_moves)
      std::copy_n(start, plan.width, to + row * plan.width);
    else
      std::fill_n(to + row * plan.width, plan.width, *start);
  });
  return y;
}

namespace {

// The axes along which a tensor of a shape is repeated to be like x.
Axes repeated_axes(const char* operation, const Tensor& x, const Shape& shape) {
  check_defined(operation, "x", x);
  if (broadcast_shapes(operation, x.shape(), shape) != x.shape())
    throw std::invalid_argument(
        text(operation, ": the shape must be repeatable to x: x is ", x.shape(), ", shape is ", shape));
  const Index extra = x.rank() - shape.rank();
  Axes axes;
  for (Index axis = 0; axis < x.rank(); ++axis)
    if (axis < extra || (shape[axis - extra] == 1 && x.dim(axis) != 1)) axes.push_back(axis);
  return axes;
}

Tensor summed(const char* operation, const Tensor& x, const Shape& shape) {
  const Axes axes = repeated_axes(operation, x, shape);
  return (axes.empty() ? x : sum(x, axes, Axis::kept)).with_shape(shape);
}

}  // namespace

Tensor sum_to(const Tensor& x, const Shape& shape) { return summed("sum_to", x, shape); }

Tensor sum_products_to(Tensor a, const Tensor& b, const Shape& shape) {
  check_defined("sum_products_to", "a", a);
  check_defined("sum_products_to", "b", b);
  const Axes axes = a.shape() == b.shape() ? repeated_axes("sum_products_to", a, shape) : Axes();
  if (!axes.empty()) return sum_products(a, b, axes).with_shape(shape);
  return summed("sum_products_to",
                zip("sum_products_to", std::move(a), b, [](Real u, Real v) { return u * v; }), shape);
}

}  // namespace gradual
