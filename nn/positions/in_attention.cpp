#include <gradual/nn/positions/in_attention.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <gradual/core/error.hpp>

namespace gradual {
namespace {

constexpr Index farthest = 16;  // the longest distance with a relative bias of its own

// From the last key at the first query to the first key at the last query; none where one side is empty.
Index distances(Index queries, Index keys) { return std::max<Index>(queries + keys - 1, 0); }

}  // namespace

RelativePositions::RelativePositions(Index heads)
    : table(Var::parameter(Tensor::zeros({heads, 2 * farthest + 1}))) {}

Var RelativePositions::bias(Index queries, Index keys) const {
  const Index heads = table.dim(0);
  std::vector<std::int32_t> columns;
  for (Index h = 0; h < heads; ++h) {
    for (Index i = 0; i < distances(queries, keys); ++i)
      columns.push_back(
          static_cast<std::int32_t>(std::clamp(i - (keys - 1), -farthest, farthest) + farthest));
  }
  return gather(table, 1, Indices({heads, distances(queries, keys)}, std::move(columns)));
}

Tensor alibi_biases(Index heads, Index queries, Index keys) {
  Tensor biases({heads, distances(queries, keys)});
  Real* to = biases.unguarded_data();
  for (Index h = 0; h < heads; ++h) {
    const double slope = std::exp2(-8.0 * static_cast<double>(h + 1) / static_cast<double>(heads));
    for (Index i = 0; i < distances(queries, keys); ++i)
      *to++ = static_cast<Real>(-slope * static_cast<double>(std::abs(i - (keys - 1))));
  }
  return biases;
}

Var AlibiPositions::bias(Index queries, Index keys) const { return alibi_biases(heads_, queries, keys); }

RotaryPositions::RotaryPositions(Index head_width) : head_width_(head_width) {
  if (head_width % 2 != 0)
    throw std::invalid_argument(
        text("positions: rotary ones turn pairs, so heads must have an even width: got ", head_width));
}

Var RotaryPositions::rotated(const Var& packed, Index columns, Index first) const {
  return rotate(packed, {columns, head_width_, first});
}

}  // namespace gradual
