#include <gradual/core/rows/rows.hpp>
#include <gradual/core/xtensor.hpp>

namespace gradual {

Tensor softmax(const Tensor& x) {
  const xt::xarray<Real> scores = as_xtensor(x);
  const std::size_t last = scores.dimension() - 1;
  const xt::xarray<Real> top = xt::amax(scores, {last}, xt::keep_dims);
  const xt::xarray<Real> e = xt::exp(scores - top);
  const xt::xarray<Real> total = xt::sum(e, {last}, xt::keep_dims);
  return from_xtensor(e / total);
}

}  // namespace gradual
