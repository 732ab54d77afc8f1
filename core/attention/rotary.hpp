// Rotary positions: queries and keys are turned by angles that grow with their places.
#pragma once

#include <gradual/core/tensor.hpp>

namespace gradual {

/// What is turned, and from which place on.
struct Rotation {
  Index columns;      // the first columns of each row, a number of whole heads; the others stay as they are
  Index head_width;   // even
  Index first_place;  // of x[b, 0]
};

/// Turns each pair of neighbouring columns of x [B, N, W] (Su et al. 2021, eq. 34): with θ = p·10000^(-2i/d)
/// for pair i of a head of d columns at place p = first_place + n,
///   y_2i = x_2i·cos θ - x_2i+1·sin θ,  y_2i+1 = x_2i·sin θ + x_2i+1·cos θ.
/// The dot product of a turned query and a turned key then depends on their places by their distance alone.
/// Throws std::invalid_argument when x has other axes, fewer columns, or the heads are not even and whole.
/// The plain version is reference::rotate().
Tensor rotate(const Tensor& x, const Rotation& rotation);
/// Turns back: what undoes a rotation is also its transpose, the derivative.
Tensor rotate_back(const Tensor& x, const Rotation& rotation);

}  // namespace gradual
