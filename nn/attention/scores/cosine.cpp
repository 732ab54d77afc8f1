#include <gradual/nn/attention/scores/cosine.hpp>

#include <cmath>

#include <gradual/core/error.hpp>

namespace gradual {
namespace {

// x / max(‖x‖, 10⁻⁶) along the last axis: a vector of zeros stays one, and its slope is finite.
Var unit_length(const Var& x) {
  constexpr Real smallest_square = Real(1e-12);
  const Var square = sum(x * x, {-1}, Axis::kept);
  return x / sqrt(maximum(square, smallest_square));
}

}  // namespace

CosineScore::CosineScore(Real sharpness) {
  if (!(sharpness > 0))
    throw std::invalid_argument(text("cosine score: the sharpness must be positive: got ", sharpness));
  log_sharpness = Var::parameter(Tensor({1}, {std::log(sharpness)}));
}

void CosineScore::check_widths(Index query_width, Index key_width) const {
  if (query_width != key_width)
    throw std::invalid_argument(text("cosine score: queries and keys must have one size: queries have ",
                                     query_width, " numbers, keys ", key_width));
}

Var CosineScore::prepare(const Var& keys) const { return unit_length(keys); }

Var CosineScore::compare(const Var& queries, const Var& prepared) const {
  return matmul(unit_length(queries), prepared, {false, true}) * exp(log_sharpness);
}

}  // namespace gradual
