// What is right for operations on elements, worked out plainly, one element after the other.
#pragma once

#include <vector>

#include <gradual/autograd/operations.hpp>

#include "hostile/drive.hpp"

namespace gradual::hostile {

/// The value of an operation, and what its rules make of a gradient of ones.
inline std::vector<Tensor> worked_out(const Operation& y) {
  std::vector<Tensor> result{y.value};
  for (const Rule& rule : {y.da, y.db})
    if (rule) result.push_back(rule(Tensor::ones(y.value.shape())));
  return result;
}

using Plain = double (*)(double);
using PlainOfTwo = double (*)(double, double);

inline Tensor mapped(const Tensor& x, Plain f) {
  Tensor y = x;
  for (Real *v = y.mutable_data(), *end = v + y.size(); v != end; ++v)
    *v = static_cast<Real>(f(static_cast<double>(*v)));
  return y;
}
/// f of elements of a and b that stand at the same place of the broadcast shape.
inline Tensor zipped(const Tensor& a, const Tensor& b, PlainOfTwo f) {
  const Shape shape = broadcast_shapes("plain", a.shape(), b.shape());
  Tensor y(shape);
  Real* to = y.mutable_data();
  for (Index n = 0; n < y.size(); ++n) {
    const auto element = [&](const Tensor& x) {
      Index rest = n, place = 0, stride = 1;
      for (Index back = 1; back <= shape.rank(); rest /= shape[-back], ++back) {
        if (back > x.rank()) continue;
        if (x.dim(-back) != 1) place += rest % shape[-back] * stride;
        stride *= x.dim(-back);
      }
      return static_cast<double>(x.data()[place]);
    };
    to[n] = static_cast<Real>(f(element(a), element(b)));
  }
  return y;
}

}  // namespace gradual::hostile
