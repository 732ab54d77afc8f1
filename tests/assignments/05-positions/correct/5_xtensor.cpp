#include <gradual/core/xtensor.hpp>
#include <gradual/nn/positions/in_attention.hpp>

namespace gradual {

Tensor alibi_biases(Index heads, Index queries, Index keys) {
  const xt::xarray<double> head = xt::arange<double>(1.0, static_cast<double>(heads + 1));
  const xt::xarray<double> slopes = xt::exp2(head * (-8.0 / static_cast<double>(heads)));
  const xt::xarray<double> entry = xt::arange<double>(static_cast<double>(queries + keys - 1));
  const xt::xarray<double> distance = xt::abs(entry - static_cast<double>(keys - 1));
  return from_xtensor(xt::xarray<Real>(-xt::view(slopes, xt::all(), xt::newaxis()) * distance));
}

}  // namespace gradual
