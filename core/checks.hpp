// Checks that many kernels make of their arguments.
#pragma once

#include <gradual/core/error.hpp>
#include <gradual/core/tensor.hpp>

namespace gradual {

/// Throws std::invalid_argument unless the tensor has a value. A hint follows after a semicolon.
inline void check_defined(const char* operation, const char* name, const Tensor& x, const char* hint = "") {
  if (!x.defined()) throw std::invalid_argument(text(operation, ": ", name, " must be defined", hint));
}

/// Throws std::invalid_argument unless the tensor has a value and this shape.
inline void check_shape(const char* operation, const char* name, const Tensor& x, const Shape& shape) {
  check_defined(operation, name, x);
  if (x.shape() != shape)
    throw std::invalid_argument(text(operation, ": ", name, " must be ", shape, ": it is ", x.shape()));
}

}  // namespace gradual
