// Numbers that are not finite: whether there are any, and how many of which kind.
#pragma once

#include <iosfwd>

#include <gradual/core/tensor.hpp>

namespace gradual {

/// Whether no number is NaN, ∞ or -∞; at the speed of memory.
bool all_finite(const Tensor& x);

/// How many numbers of a tensor are of each kind, and how far the finite ones reach.
struct NumberKinds {
  Index finite = 0, nan = 0, infinite = 0, minus_infinite = 0;  // how many there are of each kind
  Real least = 0, greatest = 0;                                 // of the finite ones
};
/// Counts the numbers of each kind.
NumberKinds number_kinds(const Tensor& x);

/// Such as `1 of 6 is NaN, 2 are -inf; the others from -1 to 2.5`.
std::ostream& operator<<(std::ostream& out, const NumberKinds& kinds);

}  // namespace gradual
