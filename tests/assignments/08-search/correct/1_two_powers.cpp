#include <cmath>

#include <gradual/nn/decoding/beam_search.hpp>

namespace gradual {

double length_penalty(Index length, double alpha) {
  return std::pow(5.0 + static_cast<double>(length), alpha) / std::pow(6.0, alpha);
}

}  // namespace gradual
