#include <gradual/nn/layers/positions.hpp>

#include <algorithm>
#include <cmath>
#include <mutex>

#include <gradual/autograd/operations.hpp>
#include <gradual/core/error.hpp>
#include <gradual/nn/layers/initialization.hpp>

namespace gradual {

Tensor sinusoidal_positions(Index length, Index width) {
  Tensor table({length, width});
  Real* values = table.unguarded_data();
  for (Index p = 0; p < length; ++p) {
    for (Index column = 0; column < width; ++column) {
      const double exponent = static_cast<double>(column / 2 * 2) / static_cast<double>(width);
      const double angle = static_cast<double>(p) / std::pow(10000.0, exponent);
      values[p * width + column] = static_cast<Real>(column % 2 == 0 ? std::sin(angle) : std::cos(angle));
    }
  }
  return table;
}

struct Positions::Sinusoids {
  std::mutex mutex;
  Tensor table;

  Tensor rows(Index first, Index last) {
    const std::lock_guard lock(mutex);
    if (last > table.dim(0)) table = sinusoidal_positions(std::max(last, 2 * table.dim(0)), table.dim(1));
    return table.rows(first, last);
  }
};

Positions::Positions(PositionKind kind, Index max_length, Index width, Random random)
    : kind_(kind), width_(width) {
  // As large as the words beside them, whose embeddings the models scale to a deviation of 1. Where both are
  // small, as in GPT-2 (0.02), it comes to the same; 0.02 beside 1 would leave order nearly unheard at first.
  if (kind == PositionKind::learned) weight = Var::parameter(normal_tensor({max_length, width}, 1, random));
  if (kind == PositionKind::sinusoidal) {
    sinusoids_ = std::make_shared<Sinusoids>();
    sinusoids_->table = sinusoidal_positions(max_length, width);
  }
}

Var Positions::operator()(Index first, Index count) const {
  switch (kind_) {
    case PositionKind::learned:
      if (first + count > weight.dim(0))
        throw std::invalid_argument(
            text("positions: learned for ", weight.dim(0), " places: got position ", first + count - 1));
      return slice(weight, 0, first, first + count);
    case PositionKind::sinusoidal:
      return sinusoids_->rows(first, first + count);
    case PositionKind::relative:
    case PositionKind::alibi:
    case PositionKind::rotary:
    case PositionKind::none:
      break;
  }
  return Tensor::zeros({count, width_});
}

}  // namespace gradual
