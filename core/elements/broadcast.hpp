// Repeating a tensor to a larger shape, and summing it back.
#pragma once

#include <gradual/core/tensor.hpp>

namespace gradual {

/// Repeats x along axes of size 1 until it has the given shape.
Tensor broadcast_to(const Tensor& x, const Shape& shape);
/// The reverse of broadcast_to(): sums over the axes along which a tensor of this shape would be repeated.
/// What the gradient of a broadcast input is.
Tensor sum_to(const Tensor& x, const Shape& shape);
/// sum_to(a ⊙ b, shape), without a matrix of products in memory where a and b have one shape.
Tensor sum_products_to(Tensor a, const Tensor& b, const Shape& shape);

}  // namespace gradual
