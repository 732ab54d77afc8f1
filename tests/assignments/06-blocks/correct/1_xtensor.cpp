#include <gradual/core/rows/norms.hpp>
#include <gradual/core/xtensor.hpp>

namespace gradual {

Tensor layer_norm(const Tensor& x, const Tensor& gain, const Tensor& bias, Real epsilon,
                  NormStatistics& statistics) {
  const Index D = x.dim(-1);
  const Tensor flat = x.reshaped({-1, D});
  const xt::xarray<Real> rows = as_xtensor(flat);
  const xt::xarray<Real> centre = xt::sum(rows, {1}, xt::keep_dims) / Real(D);
  const xt::xarray<Real> away = rows - centre;
  const xt::xarray<Real> variance = xt::sum(xt::square(away), {1}, xt::keep_dims) / Real(D);
  const xt::xarray<Real> inverse = 1 / xt::sqrt(variance + epsilon);
  statistics = {from_xtensor(centre).reshaped({-1}), from_xtensor(inverse).reshaped({-1})};
  return from_xtensor(xt::xarray<Real>(away * inverse * as_xtensor(gain) + as_xtensor(bias)))
      .with_shape(x.shape());
}

}  // namespace gradual
