// Checks that many kernels make of their arguments.
#pragma once

#include <gradual/core/error.hpp>
#include <gradual/core/tensor.hpp>

namespace gradual {

/// Throws std::invalid_argument unless the tensor has a value and this shape.
inline void check_shape(const char* operation, const char* name, const Tensor& x, const Shape& shape) {
  if (!x.defined()) throw std::invalid_argument(text(operation, ": ", name, " must be defined"));
  if (x.shape() != shape)
    throw std::invalid_argument(text(operation, ": ", name, " must be ", shape, ": it is ", x.shape()));
}

inline void check_defined(const char* operation, const char* name, const Tensor& x) {
  check_shape(operation, name, x, x.shape());
}

}  // namespace gradual
