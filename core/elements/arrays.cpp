#include <gradual/core/elements/arrays.hpp>

#include <algorithm>
#include <numeric>

#include <gradual/core/elements/elementwise.hpp>
#include <gradual/core/error.hpp>
#include <gradual/core/threads.hpp>
#include <gradual/core/xtensor.hpp>

namespace gradual {
namespace {

// A tensor seen from one axis: `outer` times `size` times `inner` numbers.
struct AxisView {
  Index outer = 1, size = 1, inner = 1;

  AxisView(const Shape& shape, Index axis) {
    axis = shape.normalized_axis(axis);
    size = shape[axis];
    for (Index a = 0; a < axis; ++a) outer *= shape[a];
    for (Index a = axis + 1; a < shape.rank(); ++a) inner *= shape[a];
  }
};

Axes normalized(const Shape& shape, Axes axes) {
  if (axes.empty()) {
    axes.resize(static_cast<std::size_t>(shape.rank()));
    std::iota(axes.begin(), axes.end(), Index(0));
  }
  for (Index& axis : axes) axis = shape.normalized_axis(axis);
  std::sort(axes.begin(), axes.end());
  if (std::adjacent_find(axes.begin(), axes.end()) != axes.end())
    throw std::invalid_argument(
        text("reduction: each axis may be named once: ", shape, " over ", Shape(axes)));
  return axes;
}

Shape with_axes_of_one(Shape shape, const Axes& axes) {
  for (Index axis : axes) shape.set(axis, 1);
  return shape;
}

// Long sums are made in double: a million floats, summed in float, lose three digits.

void sum_rows(const Real* from, Index rows, Index width, Real* to) {
  parallel_rows(rows, width, [=](Index first, Index last) {
    for (Index r = first; r < last; ++r) {
      const Real* row = from + r * width;
      double total = 0;
#pragma omp simd reduction(+ : total)
      for (Index i = 0; i < width; ++i) total += static_cast<double>(row[i]);
      to[r] = static_cast<Real>(total);
    }
  });
}

void sum_columns(const Real* from, Index rows, Index width, Real* to) {
  constexpr Index columns = 32;        // summed side by side in vector registers
  constexpr Index rows_in_float = 64;  // before they are added in double
  parallel_rows((width + columns - 1) / columns, rows * columns, [=](Index first, Index last) {
    for (Index c = first * columns; c < std::min(last * columns, width); c += columns) {
      const Index count = std::min(columns, width - c);
      double total[columns] = {};
      for (Index start = 0; start < rows; start += rows_in_float) {
        const Index end = std::min(rows, start + rows_in_float);
        Real partial[columns] = {};
        if (count == columns) {
          for (Index r = start; r < end; ++r) {
#pragma omp simd
            for (Index i = 0; i < columns; ++i) partial[i] += from[r * width + c + i];
          }
        } else {
          for (Index r = start; r < end; ++r)
            for (Index i = 0; i < count; ++i) partial[i] += from[r * width + c + i];
        }
        for (Index i = 0; i < columns; ++i) total[i] += static_cast<double>(partial[i]);
      }
      for (Index i = 0; i < count; ++i) to[c + i] = static_cast<Real>(total[i]);
    }
  });
}

// The sum over the axes first … last - 1, which become size 1.
Tensor sum_neighbours(const Tensor& x, Index first, Index last) {
  const Index outer = x.shape().slice(0, first).size(), count = x.shape().slice(first, last).size(),
              inner = x.shape().slice(last, x.rank()).size();
  Shape shape = x.shape();
  for (Index axis = first; axis < last; ++axis) shape.set(axis, 1);
  Tensor sums(shape);
  const Real* from = x.data();
  Real* to = sums.unguarded_data();
  if (inner == 1) {
    sum_rows(from, outer, count, to);
  } else {
    for (Index o = 0; o < outer; ++o) sum_columns(from + o * count * inner, count, inner, to + o * inner);
  }
  return sums;
}

void check_index(const char* operation, std::int32_t index, Index size) {
  if (index < 0 || index >= size)
    throw std::invalid_argument(text(operation, ": indices must lie in 0 … ", size - 1, ": got ", index));
}

}  // namespace

Tensor broadcast_to(const Tensor& x, const Shape& shape) {
  if (x.shape() == shape) return x;
  if (broadcast_shapes("broadcast_to", x.shape(), shape) != shape)
    throw std::invalid_argument(
        text("broadcast_to: x must be repeatable to the shape: x is ", x.shape(), ", shape is ", shape));
  return from_xtensor(xt::broadcast(as_xtensor(x), xtensor_shape(shape)));
}

Tensor sum_to(const Tensor& x, const Shape& shape) {
  if (x.shape() == shape) return x;
  const Index extra = x.rank() - shape.rank();
  Axes axes;
  for (Index axis = 0; axis < x.rank(); ++axis) {
    if (axis < extra || (shape[axis - extra] == 1 && x.dim(axis) != 1)) axes.push_back(axis);
  }
  return (axes.empty() ? x : sum(x, axes)).with_shape(shape);
}

Tensor sum(const Tensor& x, const Axes& axes_or_all) {
  const Axes axes = normalized(x.shape(), axes_or_all);
  Tensor sums = x;
  for (std::size_t last = axes.size(); last > 0;) {  // neighbouring axes are one long axis
    std::size_t first = last - 1;
    while (first > 0 && axes[first - 1] + 1 == axes[first]) --first;
    sums = sum_neighbours(sums, axes[first], axes[last - 1] + 1);
    last = first;
  }
  return sums;
}

Tensor max(const Tensor& x, const Axes& axes_or_all) {
  const Axes axes = normalized(x.shape(), axes_or_all);
  if (x.size() == 0) throw std::invalid_argument(text("max: there must be elements: x is ", x.shape()));
  const xt::xarray<Real> largest = xt::amax(as_xtensor(x), axes, xt::evaluation_strategy::immediate);
  return from_xtensor(largest).with_shape(with_axes_of_one(x.shape(), axes));
}

Tensor transpose(const Tensor& x, const Axes& order) {
  Axes sorted = order;
  for (Index& axis : sorted) axis = x.shape().normalized_axis(axis);
  const Axes permutation = sorted;
  std::sort(sorted.begin(), sorted.end());
  for (Index axis = 0;
       axis < static_cast<Index>(std::max<std::size_t>(sorted.size(), static_cast<std::size_t>(x.rank())));
       ++axis) {
    if (sorted.size() != static_cast<std::size_t>(x.rank()) || sorted[static_cast<std::size_t>(axis)] != axis)
      throw std::invalid_argument(text("transpose: the order must name each axis once: x is ", x.shape(),
                                       ", order is ", Shape(permutation)));
  }
  return from_xtensor(
      xt::transpose(as_xtensor(x), std::vector<std::size_t>(permutation.begin(), permutation.end())));
}

Tensor concat(const std::vector<Tensor>& parts, Index axis) {
  if (parts.empty()) throw std::invalid_argument("concat: there must be at least one part");
  Shape shape = parts[0].shape();
  axis = shape.normalized_axis(axis);
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
  const AxisView view(joined, axis);
  Real* to = result.unguarded_data();
  Index offset = 0;
  for (const Tensor& part : parts) {
    const Index run = part.dim(axis) * view.inner;
    for (Index o = 0; o < view.outer; ++o)
      std::copy_n(part.data() + o * run, run, to + o * view.size * view.inner + offset);
    offset += run;
  }
  return result;
}

Tensor slice(const Tensor& x, Index axis, Index first, Index last) {
  axis = x.shape().normalized_axis(axis);
  if (first < 0 || first > last || last > x.dim(axis))
    throw std::invalid_argument(text("slice: 0 <= first <= last <= size: ", first, " to ", last,
                                     " along axis ", axis, " of ", x.shape()));
  const AxisView view(x.shape(), axis);
  if (view.outer == 1 && axis == 0) return x.rows(first, last);
  Shape shape = x.shape();
  shape.set(axis, last - first);
  Tensor result(shape);
  const Index run = (last - first) * view.inner;
  Real* to = result.unguarded_data();
  for (Index o = 0; o < view.outer; ++o)
    std::copy_n(x.data() + (o * view.size + first) * view.inner, run, to + o * run);
  return result;
}

void add_to_slice(Tensor& into, const Tensor& part, Index axis, Index first) {
  const AxisView view(into.shape(), axis);
  const Index run = part.dim(axis) * view.inner;
  Real* to = into.unguarded_data();
  for (Index o = 0; o < view.outer; ++o) {
    const Real* from = part.data() + o * run;
    Real* row = to + (o * view.size + first) * view.inner;
    for (Index i = 0; i < run; ++i) row[i] += from[i];
  }
}

Tensor gather(const Tensor& x, Index axis, const Indices& indices) {
  axis = x.shape().normalized_axis(axis);
  Shape expected = indices.shape();
  if (expected.rank() == x.rank()) expected.set(axis, x.dim(axis));
  if (expected != x.shape())
    throw std::invalid_argument(text("gather: sizes must be equal except along axis ", axis, ": x is ",
                                     x.shape(), ", indices are ", indices.shape()));
  const AxisView from(x.shape(), axis), to(indices.shape(), axis);
  Tensor result(indices.shape());
  Real* y = result.unguarded_data();
  for (Index o = 0; o < to.outer; ++o) {
    for (Index i = 0; i < to.size * to.inner; ++i) {
      const Index at = o * to.size * to.inner + i;
      check_index("gather", indices[at], from.size);
      y[at] = x.data()[(o * from.size + indices[at]) * from.inner + i % to.inner];
    }
  }
  return result;
}

void add_gathered(Tensor& into, const Tensor& part, Index axis, const Indices& indices) {
  const AxisView to(into.shape(), axis), from(indices.shape(), axis);
  Real* x = into.unguarded_data();
  for (Index o = 0; o < from.outer; ++o) {
    for (Index i = 0; i < from.size * from.inner; ++i) {
      const Index at = o * from.size * from.inner + i;
      x[(o * to.size + indices[at]) * to.inner + i % from.inner] += part.data()[at];
    }
  }
}

Tensor column_sums(const Tensor& x, Index width) {
  Tensor sums(Shape{width});
  sum_columns(x.data(), width == 0 ? 0 : x.size() / width, width, sums.unguarded_data());
  return sums;
}

Tensor take_rows(const Tensor& table, const Indices& indices) {
  if (table.rank() != 2)
    throw std::invalid_argument(text("embedding: the table must be [V, D]: it is ", table.shape()));
  for (std::int32_t index : indices) check_index("embedding", index, table.dim(0));
  const Index width = table.dim(1);
  Shape shape = indices.shape();
  shape.push_back(width);
  Tensor result(shape);
  const Real* from = table.data();
  Real* to = result.unguarded_data();
  parallel_rows(indices.size(), width, [=, ids = indices.data()](Index first, Index last) {
    for (Index r = first; r < last; ++r) std::copy_n(from + ids[r] * width, width, to + r * width);
  });
  return result;
}

void add_to_rows(Tensor& table, const Tensor& rows, const Indices& indices) {
  const Index width = table.dim(1);
  const Real* from = rows.data();
  Real* to = table.unguarded_data();
  // One after the other: the same row may be named many times, and the order of its sum must not change.
  for (Index r = 0; r < indices.size(); ++r) {
    Real* row = to + indices[r] * width;
#pragma omp simd
    for (Index i = 0; i < width; ++i) row[i] += from[r * width + i];
  }
}

}  // namespace gradual
