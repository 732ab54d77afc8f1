// The arrays of the plain versions.
//
// In this folder the mathematics is written down once more, plainly, in xtensor and in double. Nothing here
// is fast. Each fast kernel names its plain version, and is tested against it over a thousand random shapes.
#pragma once

#include <gradual/core/tensor.hpp>
#include <gradual/core/xtensor.hpp>

namespace gradual::reference {

using Array = xt::xarray<double>;

inline Array array_of(const Tensor& x) { return xt::cast<double>(as_xtensor(x)); }
inline Tensor tensor_of(const Array& x) { return from_xtensor(xt::cast<Real>(x)); }

}  // namespace gradual::reference
