#include <gradual/autograd/operations.hpp>

#include <algorithm>

namespace gradual {
namespace {

// The shape without the axes that a reduction made 1.
Shape without(const Shape& shape, const Axes& axes) {
  Shape result;
  for (Index axis = 0; axis < shape.rank(); ++axis) {
    const bool reduced = axes.empty() || std::any_of(axes.begin(), axes.end(), [&](Index a) {
                           return shape.normalized_axis(a) == axis;
                         });
    if (!reduced) result.push_back(shape[axis]);
  }
  return result;
}

Tensor finished(const Tensor& y, const Axes& axes, Axis reduced) {
  return reduced == Axis::kept ? y : y.with_shape(without(y.shape(), axes));
}

}  // namespace

Var sum(const Var& x, const Axes& axes, Axis reduced) {
  const Tensor y = sum(x.value(), axes);
  return record("sum", finished(y, axes, reduced),
                {{x, [kept = y.shape(), shape = x.shape()](const Tensor& dy) {
                    return broadcast_to(dy.with_shape(kept), shape);
                  }}});
}

Var mean(const Var& x, const Axes& axes, Axis reduced) {
  const Var total = sum(x, axes, reduced);
  return total * (static_cast<Real>(std::max<Index>(total.size(), 1)) /
                  static_cast<Real>(std::max<Index>(x.size(), 1)));
}

Var max(const Var& x, const Axes& axes, Axis reduced) {
  const Tensor y = max(x.value(), axes);
  return record("max", finished(y, axes, reduced),
                {{x, [x = x.value(), y, axes](const Tensor& dy) {
                    const Tensor is_largest = is_equal(x, y);
                    return is_largest * (dy.with_shape(y.shape()) / sum(is_largest, axes));
                  }}});
}

}  // namespace gradual
