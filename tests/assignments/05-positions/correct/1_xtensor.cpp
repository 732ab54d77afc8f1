#include <gradual/core/xtensor.hpp>
#include <gradual/nn/positions/vectors.hpp>

namespace gradual {

Tensor sinusoidal_positions(Index length, Index width) {
  const xt::xarray<double> places = xt::arange<double>(static_cast<double>(length));
  const xt::xarray<double> columns = xt::arange<double>(static_cast<double>(width));
  const xt::xarray<double> odd = columns - 2 * xt::floor(columns / 2);
  const xt::xarray<double> speeds = xt::pow(10000.0, -(columns - odd) / static_cast<double>(width));
  const xt::xarray<double> angles = xt::view(places, xt::all(), xt::newaxis()) * speeds;
  return from_xtensor(xt::xarray<Real>(xt::where(odd > 0, xt::cos(angles), xt::sin(angles))));
}

}  // namespace gradual
