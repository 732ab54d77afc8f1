#include <limits>

#include <gradual/core/xtensor.hpp>

#include "03-attention/attention.hpp"

namespace gradual {

Tensor attention_weights(const Tensor& scores, const Tensor& visible) {
  const xt::xarray<Real> mask = as_xtensor(visible);
  const xt::xarray<Real> seen =
      xt::where(mask > 0, as_xtensor(scores), -std::numeric_limits<Real>::infinity());
  xt::xarray<Real> top = xt::amax(seen, {2}, xt::keep_dims);
  top = xt::where(xt::isfinite(top), top, Real(0));
  const xt::xarray<Real> e = xt::exp(seen - top);
  const xt::xarray<Real> total = xt::sum(e, {2}, xt::keep_dims);
  return from_xtensor(xt::xarray<Real>(xt::where(total > 0, e / total, Real(0))));
}

}  // namespace gradual
