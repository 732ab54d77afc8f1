// Reductions along axes: sums, means, variances, extremes, running sums.
//
// Of a Tensor they give a Tensor, of a Var a Var. Axes count from 0, or from the end if negative; none means
// all. They are dropped from the shape, or kept with size 1. Axes that there are not or that are named twice
// throw std::invalid_argument, and so does the mean or an extreme of nothing.
#pragma once

#include <vector>

#include <gradual/core/elements/operation.hpp>
#include <gradual/core/indices.hpp>

namespace gradual {

using Axes = std::vector<Index>;

/// What becomes of the axes that a reduction is over.
enum class Axis { dropped, kept };

/// Σ x; of nothing it is 0.
Operation sum_operation(const Tensor& x, const Axes& axes, Axis reduced);
template <class X>
Operand<X> sum(const X& x, const Axes& axes = {}, Axis reduced = Axis::dropped) {
  return apply(sum_operation, x, axes, reduced);
}

/// Σ x / n over n elements.
Operation mean_operation(const Tensor& x, const Axes& axes, Axis reduced);
template <class X>
Operand<X> mean(const X& x, const Axes& axes = {}, Axis reduced = Axis::dropped) {
  return apply(mean_operation, x, axes, reduced);
}

/// Σ (x - mean)² / n over n elements: the variance of these numbers themselves, as in layer norm, and not an
/// estimate from a sample, which would divide by n - 1.
Operation variance_operation(const Tensor& x, const Axes& axes, Axis reduced);
template <class X>
Operand<X> variance(const X& x, const Axes& axes = {}, Axis reduced = Axis::dropped) {
  return apply(variance_operation, x, axes, reduced);
}

/// The largest element, NaN if there is one. Elements that share the maximum share its gradient.
Operation max_operation(const Tensor& x, const Axes& axes, Axis reduced);
template <class X>
Operand<X> max(const X& x, const Axes& axes = {}, Axis reduced = Axis::dropped) {
  return apply(max_operation, x, axes, reduced);
}

/// The smallest element, NaN if there is one. Elements that share the minimum share its gradient.
Operation min_operation(const Tensor& x, const Axes& axes, Axis reduced);
template <class X>
Operand<X> min(const X& x, const Axes& axes = {}, Axis reduced = Axis::dropped) {
  return apply(min_operation, x, axes, reduced);
}

/// y_i = Σ_{j <= i} x_j along an axis.
Operation cumsum_operation(const Tensor& x, Index axis);
template <class X>
Operand<X> cumsum(const X& x, Index axis) {
  return apply(cumsum_operation, x, axis);
}

/// The place of the first largest element along an axis, which is dropped; NaN counts as the largest.
Indices argmax(const Tensor& x, Index axis);

/// Σ a ⊙ b over axes, which are kept, for equal shapes; the products are not stored.
Tensor sum_products(const Tensor& a, const Tensor& b, const Axes& axes);

/// Sums of the columns of x seen as [rows, width], in a fixed order.
Tensor column_sums(const Tensor& x, Index width);

}  // namespace gradual
