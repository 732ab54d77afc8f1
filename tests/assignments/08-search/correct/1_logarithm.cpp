#include <cmath>

#include <gradual/nn/decoding/beam_search.hpp>

namespace gradual {

double length_penalty(Index length, double alpha) {
  return std::exp(alpha * std::log((5 + static_cast<double>(length)) / 6));
}

}  // namespace gradual
