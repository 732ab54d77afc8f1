// The plain version: pair by pair.
#include <cmath>

#include <gradual/core/attention/rotary.hpp>

namespace gradual {

Tensor rotate(const Tensor& x, const Rotation& rotation) {
  const Index N = x.dim(1), W = x.dim(2), d = rotation.head_width;
  Tensor y = x;
  for (Index row = 0; row < x.dim(0) * N; ++row) {
    const Real* from = x.data() + row * W;
    Real* to = y.mutable_data() + row * W;
    const double place = static_cast<double>(rotation.first_place + row % N);
    for (Index column = 0; column < rotation.columns; column += 2) {
      const double exponent = static_cast<double>(column % d) / static_cast<double>(d);
      const double angle = place / std::pow(10000.0, exponent);
      const Real c = static_cast<Real>(std::cos(angle)), s = static_cast<Real>(std::sin(angle));
      const Real a = from[column], b = from[column + 1];
      to[column] = a * c - b * s;
      to[column + 1] = a * s + b * c;
    }
  }
  return y;
}

}  // namespace gradual
