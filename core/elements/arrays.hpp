// Rearranging and reducing tensors along their axes.
#pragma once

#include <vector>

#include <gradual/core/indices.hpp>
#include <gradual/core/tensor.hpp>

namespace gradual {

using Axes = std::vector<Index>;

/// Repeats x along axes of size 1 until it has the given shape.
Tensor broadcast_to(const Tensor& x, const Shape& shape);
/// The reverse: sums over the axes along which a tensor of this shape would be repeated. What the gradient of
/// a broadcast input is.
Tensor sum_to(const Tensor& x, const Shape& shape);

/// Reductions over the given axes (none: all of them), which become size 1.
Tensor sum(const Tensor& x, const Axes& axes);
Tensor max(const Tensor& x, const Axes& axes);

/// The axes in another order: `transpose(x, {0, 2, 1})`.
Tensor transpose(const Tensor& x, const Axes& order);
/// Joined along an axis; other sizes must be equal.
Tensor concat(const std::vector<Tensor>& parts, Index axis);
/// first … last - 1 along an axis.
Tensor slice(const Tensor& x, Index axis, Index first, Index last);
/// into[…, first + i, …] += part[…, i, …] along an axis: the gradient of slice.
void add_to_slice(Tensor& into, const Tensor& part, Index axis, Index first);
/// y[…, i, …] = x[…, indices[…, i, …], …] along an axis; the other sizes of x and indices are equal.
Tensor gather(const Tensor& x, Index axis, const Indices& indices);
/// into[…, indices[…, i, …], …] += part[…, i, …]: the gradient of gather.
void add_gathered(Tensor& into, const Tensor& part, Index axis, const Indices& indices);

/// Sums of the columns of x seen as [rows, width], in a fixed order.
Tensor column_sums(const Tensor& x, Index width);

/// The rows of a table [V, D] that the indices name, as [..., D]; throws std::invalid_argument for an index
/// outside it.
Tensor take_rows(const Tensor& table, const Indices& indices);
/// table[indices[i]] += rows[i]: the gradient of take_rows.
void add_to_rows(Tensor& table, const Tensor& rows, const Indices& indices);

}  // namespace gradual
