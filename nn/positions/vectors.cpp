#include <gradual/nn/positions/vectors.hpp>

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

struct SinusoidalPositions::Table {
  std::mutex mutex;
  Tensor numbers;

  Tensor rows(Index first, Index last) {
    const std::lock_guard lock(mutex);
    if (last > numbers.dim(0))
      numbers = sinusoidal_positions(std::max(last, 2 * numbers.dim(0)), numbers.dim(1));
    return numbers.rows(first, last);
  }
};

SinusoidalPositions::SinusoidalPositions(Index length, Index width) : table_(std::make_shared<Table>()) {
  constexpr Index at_first = 512;  // the rest when it is asked for
  table_->numbers = sinusoidal_positions(std::min(length, at_first), width);
}

Var SinusoidalPositions::operator()(Index first, Index count) const {
  return table_->rows(first, first + count);
}

// As large as the words beside them, whose embeddings the models scale to a deviation of 1. Where both are
// small, as in GPT-2 (0.02), it comes to the same; 0.02 beside 1 would leave order nearly unheard at first.
LearnedPositions::LearnedPositions(Index max_length, Index width, Random random)
    : weight(Var::parameter(normal_tensor({max_length, width}, 1, random))) {}

Var LearnedPositions::operator()(Index first, Index count) const {
  if (first + count > weight.dim(0))
    throw std::invalid_argument(
        text("positions: learned for ", weight.dim(0), " places: got position ", first + count - 1));
  return slice(weight, 0, first, first + count);
}

}  // namespace gradual
