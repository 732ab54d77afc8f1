// A tensor seen from one of its axes.
#pragma once

#include <gradual/core/shape.hpp>

namespace gradual {

/// `outer` times `size` times `inner` numbers, where `size` is the axis looked at.
struct AxisView {
  Index outer, size, inner;  // numbers before the axis, along it, and behind it

  AxisView(Index outer_size, Index axis_size, Index inner_size)
      : outer(outer_size), size(axis_size), inner(inner_size) {}
  /// Throws std::invalid_argument with the operation's name when there is no such axis.
  AxisView(const char* operation, const Shape& shape, Index axis) {
    axis = shape.normalized_axis(axis, operation);
    outer = shape.slice(0, axis).size();
    size = shape[axis];
    inner = shape.slice(axis + 1, shape.rank()).size();
  }
};

}  // namespace gradual
