#include <gradual/core/xtensor.hpp>

#include "04-heads/heads.hpp"

namespace gradual {

Tensor split_heads(const Tensor& x, Index heads) {
  const Tensor apart = x.with_shape({x.dim(0), x.dim(1), heads, x.dim(2) / heads});
  const xt::xarray<Real> numbers = as_xtensor(apart);
  return from_xtensor(xt::xarray<Real>(xt::transpose(numbers, {0, 2, 1, 3})));
}

}  // namespace gradual
