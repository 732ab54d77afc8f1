#include <gradual/core/elements/arrangement.hpp>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include <gradual/core/checks.hpp>
#include <gradual/core/elements/axis_view.hpp>
#include <gradual/core/threads.hpp>

namespace gradual {
namespace {

Axes checked_order(const Shape& x, Axes order) {
  bool fits = static_cast<Index>(order.size()) == x.rank();
  for (Index& axis : order) axis = x.normalized_axis(axis, "transpose");
  Axes sorted = order;
  std::sort(sorted.begin(), sorted.end());
  fits = fits && std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
  if (fits) return order;
  throw std::invalid_argument(
      text("transpose: the order must name each axis once: x is ", x, ", order is ", list_of(order)));
}

constexpr Index tile = 16;  // numbers on a cache line of floats: each line is read once and written once

#if __has_builtin(__builtin_shufflevector)
// Wide vectors pay only where a shuffle of them is one instruction.
#ifdef __AVX512F__
constexpr Index lanes = 16;
#else
constexpr Index lanes = 4;
#endif
typedef Real Row __attribute__((vector_size(lanes * sizeof(Real))));

// The numbers of a and b by turns, of their first halves and of their second.
void weave(const Row& a, const Row& b, Row& first, Row& second) {
#ifdef __AVX512F__
  first = __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  second = __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
#else
  first = __builtin_shufflevector(a, b, 0, 4, 1, 5);
  second = __builtin_shufflevector(a, b, 2, 6, 3, 7);
#endif
}

// Row i woven with the row half of them further on, log₂ lanes times over, turns rows into columns.
void transpose_square(const Real* from, Index from_stride, Real* to, Index to_stride) {
  Row x[lanes], woven[lanes];
  for (Index i = 0; i < lanes; ++i) std::memcpy(&x[i], from + i * from_stride, sizeof(Row));
  for (Index done = 1; done < lanes; done *= 2) {
    for (Index i = 0; i < lanes / 2; ++i) weave(x[i], x[i + lanes / 2], woven[2 * i], woven[2 * i + 1]);
    std::copy_n(woven, lanes, x);
  }
  for (Index i = 0; i < lanes; ++i) std::memcpy(to + i * to_stride, &x[i], sizeof(Row));
}
#endif

// to[j·to_stride + i] = from[i·from_stride + j] for a tile of rows i and columns j.
void transpose_tile(const Real* from, Index from_stride, Real* to, Index to_stride, Index rows,
                    Index columns) {
#if __has_builtin(__builtin_shufflevector)
  if (rows % lanes == 0 && columns % lanes == 0) {
    for (Index i = 0; i < rows; i += lanes)
      for (Index j = 0; j < columns; j += lanes)
        transpose_square(from + i * from_stride + j, from_stride, to + j * to_stride + i, to_stride);
    return;
  }
#endif
  for (Index j = 0; j < columns; ++j)
    for (Index i = 0; i < rows; ++i) to[j * to_stride + i] = from[i * from_stride + j];
}

// An axis of a transposition: its size, and how far a step along it goes in either tensor.
struct MovedAxis {
  Index size, from_stride, to_stride;
};

// Axes of y, the last first, without those of size 1; neighbours that stay neighbours are one.
std::vector<MovedAxis> moved_axes(const Shape& x, const Axes& order) {
  const std::vector<Index> strides = x.strides();
  std::vector<MovedAxis> axes;
  Index to_stride = 1;
  for (auto axis = order.rbegin(); axis != order.rend(); ++axis) {
    const Index size = x[*axis], from_stride = strides[static_cast<std::size_t>(*axis)];
    if (size == 1) continue;
    if (!axes.empty() && from_stride == axes.back().from_stride * axes.back().size)
      axes.back().size *= size;
    else
      axes.push_back({size, from_stride, to_stride});
    to_stride *= size;
  }
  return axes;
}

Tensor transposed(const Tensor& x, const Axes& order) {
  Shape shape;
  for (const Index axis : order) shape.push_back(x.dim(axis));
  std::vector<MovedAxis> axes = moved_axes(x.shape(), order);
  if (axes.size() < 2) return x.with_shape(shape);  // nothing moves
  Tensor y(shape);
  if (y.size() == 0) return y;
  const MovedAxis across = axes.front();  // contiguous in y
  axes.erase(axes.begin());
  // Where whole runs move, they are copied; else tiles between this axis and the one contiguous in x.
  MovedAxis along{1, 1, 1};
  const bool runs = across.from_stride == 1;
  if (!runs) {
    const auto contiguous =
        std::find_if(axes.begin(), axes.end(), [](auto& axis) { return axis.from_stride == 1; });
    along = *contiguous;
    axes.erase(contiguous);
  }
  const Index strips = runs ? 1 : (along.size + tile - 1) / tile;  // of 16 lines of y
  Index others = 1;
  for (const MovedAxis& axis : axes) others *= axis.size;
  const Index work = runs ? across.size : tile * across.size;
  parallel_each_row(others * strips, work, [=, from = x.data(), to = y.unguarded_data()](Index part) {
    Index rest = part / strips, source = 0, target = 0;
    for (const MovedAxis& axis : axes) {
      const Index place = rest % axis.size;
      rest /= axis.size;
      source += place * axis.from_stride;
      target += place * axis.to_stride;
    }
    if (runs) {
      std::copy_n(from + source, across.size, to + target);
      return;
    }
    const Index column = part % strips * tile, columns = std::min(tile, along.size - column);
    for (Index row = 0; row < across.size; row += tile)
      transpose_tile(from + source + row * across.from_stride + column, across.from_stride,
                     to + target + column * along.to_stride + row, along.to_stride,
                     std::min(tile, across.size - row), columns);
  });
  return y;
}

}  // namespace

Operation reshape_operation(const Tensor& x, const std::vector<Index>& sizes) {
  return {"reshape", x.reshaped(sizes),
          [shape = x.shape()](const Tensor& dy) { return dy.with_shape(shape); }};
}

Operation transpose_operation(const Tensor& x, const Axes& wanted) {
  check_defined("transpose", "x", x);
  const Axes order = checked_order(x.shape(), wanted);
  return {"transpose", transposed(x, order), [order](const Tensor& dy) {
            Axes inverse(order.size());
            for (std::size_t i = 0; i < order.size(); ++i)
              inverse[static_cast<std::size_t>(order[i])] = static_cast<Index>(i);
            return transposed(dy, inverse);
          }};
}

Axes last_two_swapped(const Tensor& x) {
  check_defined("transpose", "x", x);
  Axes order(static_cast<std::size_t>(x.rank()));
  std::iota(order.begin(), order.end(), Index(0));
  if (order.size() >= 2) std::swap(order[order.size() - 1], order[order.size() - 2]);
  return order;
}

Tensor concat(const std::vector<Tensor>& parts, Index axis) {
  if (parts.empty()) throw std::invalid_argument("concat: there must be at least one part");
  for (const Tensor& part : parts) check_defined("concat", "a part", part);
  Shape shape = parts[0].shape();
  axis = shape.normalized_axis(axis, "concat");
  Index size = 0;
  for (const Tensor& part : parts) {
    Shape expected = part.shape();
    if (expected.rank() == shape.rank()) expected.set(axis, shape[axis]);
    if (expected != shape)
      throw std::invalid_argument(
          text("concat: sizes must be equal except along axis ", axis, ": ", shape, " and ", part.shape()));
    size += part.dim(axis);
  }
  Shape joined = shape;
  joined.set(axis, size);
  Tensor result(joined);
  if (result.size() == 0) return result;
  const AxisView view("concat", joined, axis);
  Real* to = result.unguarded_data();
  for (const Tensor& part : parts) {
    const Index run = part.dim(axis) * view.inner;
    for (Index o = 0; o < view.outer; ++o)
      std::copy_n(part.data() + o * run, run, to + o * view.size * view.inner);
    to += run;
  }
  return result;
}

std::vector<Index> stacked_sizes(const std::vector<Tensor>& parts, Index axis) {
  if (parts.empty()) throw std::invalid_argument("stack: there must be at least one part");
  const Shape& shape = parts[0].shape();
  for (const Tensor& part : parts) {
    check_defined("stack", "a part", part);
    if (part.shape() != shape)
      throw std::invalid_argument(text("stack: shapes must be equal: ", shape, " and ", part.shape()));
  }
  const Index place = axis < 0 ? axis + shape.rank() + 1 : axis;
  if (place < 0 || place > shape.rank())
    throw std::invalid_argument(text("stack: the new axis must lie in 0 … ", shape.rank(), ": axis is ", axis,
                                     ", parts are ", shape));
  std::vector<Index> sizes(shape.begin(), shape.end());
  sizes.insert(sizes.begin() + place, 1);
  return sizes;
}

void check_split(const Shape& x, const std::vector<Index>& sizes, Index axis) {
  Index left = x[x.normalized_axis(axis, "split")];
  for (const Index size : sizes) left = size < 0 || size > left ? -1 : left - size;  // no sum can overflow
  if (left == 0) return;
  throw std::invalid_argument(text("split: sizes must be at least 0 and add up to that of the axis: ",
                                   list_of(sizes), " along axis ", axis, " of ", x));
}

Tensor slice(const Tensor& x, Index axis, Index first, Index last) {
  check_defined("slice", "x", x);
  axis = x.shape().normalized_axis(axis, "slice");
  if (first < 0 || first > last || last > x.dim(axis))
    throw std::invalid_argument(text("slice: 0 <= first <= last <= size: ", first, " to ", last,
                                     " along axis ", axis, " of ", x.shape()));
  const AxisView view("slice", x.shape(), axis);
  if (axis == 0) return x.rows(first, last);
  Shape shape = x.shape();
  shape.set(axis, last - first);
  Tensor result(shape);
  if (result.size() == 0) return result;
  const Index run = (last - first) * view.inner;
  Real* to = result.unguarded_data();
  for (Index o = 0; o < view.outer; ++o)
    std::copy_n(x.data() + (o * view.size + first) * view.inner, run, to + o * run);
  return result;
}

void add_to_slice(Tensor& into, const Tensor& part, Index axis, Index first) {
  check_defined("add_to_slice", "into", into);
  check_defined("add_to_slice", "the part", part);
  const AxisView view("add_to_slice", into.shape(), axis);
  Shape expected = into.shape();
  if (part.rank() == into.rank()) expected.set(axis, part.dim(axis));
  check_shape("add_to_slice", "the part", part, expected);
  if (first < 0 || first > view.size - part.dim(axis))
    throw std::invalid_argument(text("add_to_slice: the part must lie within the axis: ", part.shape(),
                                     " from ", first, " on along axis ", axis, " of ", into.shape()));
  if (part.size() == 0) return;
  const Index run = part.dim(axis) * view.inner;
  Real* to = into.unguarded_data();
  for (Index o = 0; o < view.outer; ++o) {
    const Real* from = part.data() + o * run;
    Real* row = to + (o * view.size + first) * view.inner;
    for (Index i = 0; i < run; ++i) row[i] += from[i];
  }
}

}  // namespace gradual
