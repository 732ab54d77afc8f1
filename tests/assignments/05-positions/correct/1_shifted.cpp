// The cosine as a sine a quarter turn further.
#include <cmath>

#include <gradual/nn/positions/vectors.hpp>

namespace gradual {

Tensor sinusoidal_positions(Index length, Index width) {
  std::vector<Real> numbers;
  for (Index p = 0; p < length; ++p)
    for (Index c = 0; c < width; ++c) {
      const double angle = double(p) * std::pow(10000.0, -double(c - c % 2) / double(width));
      numbers.push_back(Real(std::sin(angle + (c % 2) * std::acos(0.0))));
    }
  return Tensor({length, width}, numbers);
}

}  // namespace gradual
