#include <cmath>

#include <gradual/nn/decoding/beam_search.hpp>

namespace gradual {

double length_penalty(Index length, double alpha) {
  const double words = static_cast<double>(length);
  const double base = 1 + (words - 1) / 6;
  return alpha == 0 ? 1 : std::pow(base, alpha);
}

}  // namespace gradual
