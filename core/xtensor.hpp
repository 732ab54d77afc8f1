// Tensors as xtensor expressions, and back.
//
//   Tensor y = from_xtensor(xt::sum(as_xtensor(x), {0}));
//
// Traps of xtensor 0.24 (Debian 12):
//   * Store every reduction before it is broadcast again: `xt::exp(x - xt::amax(x, {-1}, xt::keep_dims))`
//     gives silently wrong numbers while the reduction is lazy.
//   * `auto` over an expression that holds a temporary dangles; take `xt::xarray<Real>` or a Tensor.
//   * With NDEBUG, errors in shapes say little: check shapes first.
#pragma once

// xtensor 0.24 does not parse under clang 19 (`rebind_container` is ambiguous for svector) unless the one
// specialisation that it needs is spelled out right after the storage header.
#if __has_include(<xtensor/xadapt.hpp>)
#include <xtensor/xstorage.hpp>
#if defined(__clang__) && __clang_major__ >= 19
namespace xt {
template <class X, class T, std::size_t N>
struct rebind_container<X, svector<T, N, std::allocator<T>, true>> {
  using type = svector<X, N, std::allocator<X>, true>;
};
}  // namespace xt
#endif
#include <xtensor/xadapt.hpp>
#include <xtensor/xarray.hpp>
#include <xtensor/xmanipulation.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xview.hpp>
#else  // 0.26 and later
#include <xtensor/containers/xadapt.hpp>
#include <xtensor/containers/xarray.hpp>
#include <xtensor/core/xmath.hpp>
#include <xtensor/core/xnoalias.hpp>
#include <xtensor/misc/xmanipulation.hpp>
#include <xtensor/views/xview.hpp>
#endif

#include <vector>

#include <gradual/core/checks.hpp>
#include <gradual/core/tensor.hpp>

namespace gradual {

/// A shape in the form that xtensor takes.
inline std::vector<std::size_t> xtensor_shape(const Shape& shape) { return {shape.begin(), shape.end()}; }

/// The tensor's own numbers as an xtensor container, without a copy; valid while the tensor lives. Throws
/// std::invalid_argument for a tensor that is not defined.
inline auto as_xtensor(const Tensor& tensor) {
  check_defined("as_xtensor", "the tensor", tensor);
  return xt::adapt(tensor.data(), static_cast<std::size_t>(tensor.size()), xt::no_ownership(),
                   xtensor_shape(tensor.shape()));
}

/// As as_xtensor(), for writing. Another tensor that shares the block keeps its numbers.
inline auto as_writable_xtensor(Tensor& tensor) {
  check_defined("as_writable_xtensor", "the tensor", tensor);
  return xt::adapt(tensor.mutable_data(), static_cast<std::size_t>(tensor.size()), xt::no_ownership(),
                   xtensor_shape(tensor.shape()));
}

/// A tensor of an expression's value.
template <class Expression>
Tensor from_xtensor(const Expression& expression) {
  Shape shape;
  for (auto size : expression.shape()) shape.push_back(static_cast<Index>(size));
  Tensor result(shape);
  xt::noalias(xt::adapt(result.unguarded_data(), static_cast<std::size_t>(result.size()), xt::no_ownership(),
                        xtensor_shape(shape))) = expression;
  return result;
}

}  // namespace gradual
