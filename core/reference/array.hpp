// The arrays of the plain versions.
//
// In this folder the mathematics is written down once more, plainly, in xtensor and in double. Nothing here
// is fast. Each fast kernel names its plain version, and is tested against it over a thousand random shapes.
#pragma once

#include <gradual/core/tensor.hpp>
#include <gradual/core/xtensor.hpp>

namespace gradual::reference {

/// An xtensor container of doubles.
using Array = xt::xarray<double>;

/// The numbers of a tensor, as doubles.
inline Array array_of(const Tensor& x) { return xt::cast<double>(as_xtensor(x)); }
/// A tensor of such numbers, rounded to Real.
inline Tensor tensor_of(const Array& x) { return from_xtensor(xt::cast<Real>(x)); }

}  // namespace gradual::reference
