// Pair by pair, with e^(-ln 10000 · 2i/D) for the power.
#include <cmath>

#include <gradual/nn/positions/vectors.hpp>

namespace gradual {

Tensor sinusoidal_positions(Index length, Index width) {
  Tensor table({length, width});
  Real* to = table.mutable_data();
  for (Index i = 0; 2 * i < width; ++i) {
    const double speed = std::exp(-std::log(10000.0) * 2 * double(i) / double(width));
    for (Index p = 0; p < length; ++p) {
      to[p * width + 2 * i] = static_cast<Real>(std::sin(double(p) * speed));
      if (2 * i + 1 < width) to[p * width + 2 * i + 1] = static_cast<Real>(std::cos(double(p) * speed));
    }
  }
  return table;
}

}  // namespace gradual
