// Tensors in other shapes and orders, joined, cut and looked up.
//
// Of a Tensor they give a Tensor, of a Var a Var. Axes count from 0, or from the end if negative. What does
// not fit throws std::invalid_argument with the operation's name and all shapes.
#pragma once

#include <initializer_list>
#include <vector>

#include <gradual/core/elements/operation.hpp>
#include <gradual/core/indices.hpp>

namespace gradual {

/// Numbers of axes, from 0 or, if negative, from the end.
using Axes = std::vector<Index>;

/// The same elements under another shape; one size may be -1: it is worked out.
Operation reshape_operation(const Tensor& x, const std::vector<Index>& sizes);
template <class X>
Operand<X> reshape(const X& x, const std::vector<Index>& sizes) {
  return apply(reshape_operation, x, sizes);
}

/// The axes in another order: axis i of the result is axis order[i] of x.
Operation transpose_operation(const Tensor& x, const Axes& order);
template <class X>
Operand<X> transpose(const X& x, const Axes& order) {
  return apply(transpose_operation, x, order);
}
/// The order of axes in which the last two have changed places.
Axes last_two_swapped(const Tensor& x);
/// The last two axes change places.
template <class X>
Operand<X> transpose(const X& x) {
  return transpose(x, last_two_swapped(tensor_of(x)));
}

/// Joined along an axis; other sizes must be equal.
Tensor concat(const std::vector<Tensor>& parts, Index axis);
template <class X>
Operand<X> concat(std::initializer_list<X> parts, Index axis) {
  return concat(std::vector<X>(parts), axis);
}

/// The sizes of each part of a stack with the new axis, of size 1; shapes must be equal.
std::vector<Index> stacked_sizes(const std::vector<Tensor>& parts, Index axis);
/// Joined along a new axis: y[…, i, …] is part i; shapes must be equal.
template <class X>
Operand<X> stack(const std::vector<X>& parts, Index axis = 0) {
  std::vector<Tensor> tensors;
  for (const X& part : parts) tensors.push_back(tensor_of(part));
  const std::vector<Index> sizes = stacked_sizes(tensors, axis);
  std::vector<X> with_axis;
  for (const X& part : parts) with_axis.push_back(reshape(part, sizes));
  return concat(with_axis, axis);
}
template <class X>
Operand<X> stack(std::initializer_list<X> parts, Index axis = 0) {
  return stack(std::vector<X>(parts), axis);
}

/// first … last - 1 along an axis.
Tensor slice(const Tensor& x, Index axis, Index first, Index last);
/// into[…, first + i, …] += part[…, i, …] along an axis: the gradient of slice.
void add_to_slice(Tensor& into, const Tensor& part, Index axis, Index first);

/// Throws std::invalid_argument unless the sizes of the parts add up to that of the axis.
void check_split(const Shape& x, const std::vector<Index>& sizes, Index axis);
/// Parts of the given sizes along an axis, one after the other; they must add up to its size.
template <class X>
std::vector<Operand<X>> split(const X& x, const std::vector<Index>& sizes, Index axis = 0) {
  check_split(tensor_of(x).shape(), sizes, axis);
  std::vector<X> parts;
  Index first = 0;
  for (const Index size : sizes) {
    parts.push_back(slice(x, axis, first, first + size));
    first += size;
  }
  return parts;
}

/// y[…, i, …] = x[…, indices[…, i, …], …] along an axis; the other sizes of x and indices are equal.
Tensor gather(const Tensor& x, Index axis, const Indices& indices);
/// into[…, indices[…, i, …], …] += part[…, i, …]: the gradient of gather.
void add_gathered(Tensor& into, const Tensor& part, Index axis, const Indices& indices);

/// The rows of a table [V, D] that the indices name, as [..., D]; throws std::invalid_argument for an index
/// outside it.
Tensor take_rows(const Tensor& table, const Indices& indices);
/// table[indices[i]] += rows[i]: the gradient of take_rows.
void add_to_rows(Tensor& table, const Tensor& rows, const Indices& indices);

}  // namespace gradual
