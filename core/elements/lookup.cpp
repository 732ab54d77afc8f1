// What indices look up in a tensor, and the gradients of that.
#include <algorithm>

#include <gradual/core/checks.hpp>
#include <gradual/core/elements/arrangement.hpp>
#include <gradual/core/elements/axis_view.hpp>
#include <gradual/core/threads.hpp>

namespace gradual {
namespace {

void check_index(const char* operation, std::int32_t index, Index size) {
  if (size == 0)
    throw std::invalid_argument(text(operation, ": there must be something to look up: got index ", index));
  if (index < 0 || index >= size)
    throw std::invalid_argument(text(operation, ": indices must lie in 0 … ", size - 1, ": got ", index));
}

// Throws unless the indices name elements of x along an axis.
void check_gathered(const char* operation, const Tensor& x, Index axis, const Indices& indices) {
  check_defined(operation, "x", x);
  axis = x.shape().normalized_axis(axis, operation);
  Shape expected = indices.shape();
  if (expected.rank() == x.rank()) expected.set(axis, x.dim(axis));
  if (expected != x.shape())
    throw std::invalid_argument(text(operation, ": sizes must be equal except along axis ", axis, ": x is ",
                                     x.shape(), ", indices are ", indices.shape()));
  for (std::int32_t index : indices) check_index(operation, index, x.dim(axis));
}

// The shape of the rows that the indices name; throws unless they name rows of the table.
Shape checked_rows(const char* operation, const Tensor& table, const Indices& indices) {
  check_defined(operation, "the table", table);
  if (table.rank() != 2)
    throw std::invalid_argument(text(operation, ": the table must be [V, D]: it is ", table.shape()));
  for (std::int32_t index : indices) check_index(operation, index, table.dim(0));
  Shape shape = indices.shape();
  shape.push_back(table.dim(1));
  return shape;
}

}  // namespace

Tensor gather(const Tensor& x, Index axis, const Indices& indices) {
  check_gathered("gather", x, axis, indices);
  const AxisView from("gather", x.shape(), axis), to("gather", indices.shape(), axis);
  Tensor result(indices.shape());
  if (result.size() == 0) return result;
  Real* y = result.unguarded_data();
  for (Index o = 0; o < to.outer; ++o) {
    for (Index i = 0; i < to.size * to.inner; ++i) {
      const Index at = o * to.size * to.inner + i;
      y[at] = x.data()[(o * from.size + indices[at]) * from.inner + i % to.inner];
    }
  }
  return result;
}

void add_gathered(Tensor& into, const Tensor& part, Index axis, const Indices& indices) {
  check_gathered("add_gathered", into, axis, indices);
  check_shape("add_gathered", "the part", part, indices.shape());
  const AxisView to("gather", into.shape(), axis), from("gather", indices.shape(), axis);
  if (part.size() == 0) return;
  Real* x = into.unguarded_data();
  for (Index o = 0; o < from.outer; ++o) {
    for (Index i = 0; i < from.size * from.inner; ++i) {
      const Index at = o * from.size * from.inner + i;
      x[(o * to.size + indices[at]) * to.inner + i % from.inner] += part.data()[at];
    }
  }
}

Tensor take_rows(const Tensor& table, const Indices& indices) {
  Tensor result(checked_rows("embedding", table, indices));
  const Index width = table.dim(1);
  const Real* from = table.data();
  Real* to = result.unguarded_data();
  parallel_each_row(indices.size(), width, [=, ids = indices.data()](Index r) {
    std::copy_n(from + ids[r] * width, width, to + r * width);
  });
  return result;
}

void add_to_rows(Tensor& table, const Tensor& rows, const Indices& indices) {
  const Shape shape = checked_rows("add_to_rows", table, indices);
  check_defined("add_to_rows", "the rows", rows);
  if (rows.size() != shape.size())
    throw std::invalid_argument(text("add_to_rows: the rows must be ", shape, ": they are ", rows.shape()));
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
