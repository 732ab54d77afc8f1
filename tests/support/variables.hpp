// Variables for tests: parameters in a row, and results whose numbers are known exactly.
#pragma once

#include <vector>

#include <gradual/autograd/var.hpp>

#include "support/catch.hpp"

namespace gradual {

/// A parameter [n] of these n numbers.
inline Var parameter(const std::vector<Real>& values) {
  return Var::parameter(Tensor({static_cast<Index>(values.size())}, values));
}

inline void check(const Var& y, const Shape& shape, const std::vector<Real>& values) {
  CHECK(y.shape() == shape);
  CHECK(y.value().to_vector() == values);
}

}  // namespace gradual
