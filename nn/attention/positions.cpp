#include <gradual/nn/attention/positions.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <gradual/core/error.hpp>

namespace gradual {
namespace {

constexpr Index farthest = 16;  // the longest distance with a relative bias of its own

Tensor alibi_biases(Index heads, Index queries, Index keys) {
  Tensor biases({heads, queries + keys - 1});
  Real* to = biases.unguarded_data();
  for (Index h = 0; h < heads; ++h) {
    const double slope = std::exp2(-8.0 * static_cast<double>(h + 1) / static_cast<double>(heads));
    for (Index i = 0; i < queries + keys - 1; ++i)
      *to++ = static_cast<Real>(-slope * static_cast<double>(std::abs(i - (keys - 1))));
  }
  return biases;
}

}  // namespace

AttentionPositions::AttentionPositions(PositionKind kind, Index heads, Index head_width)
    : kind_(kind), heads_(heads), head_width_(head_width) {
  if (kind == PositionKind::relative) table = Var::parameter(Tensor::zeros({heads, 2 * farthest + 1}));
  if (kind == PositionKind::rotary && head_width % 2 != 0)
    throw std::invalid_argument(
        text("positions: rotary ones turn pairs, so heads must have an even width: got ", head_width));
}

Var AttentionPositions::rotated(const Var& packed, Index first) const {
  if (kind_ != PositionKind::rotary) return packed;
  return rotate(packed, {2 * heads_ * head_width_, head_width_, first});
}

Var AttentionPositions::bias(Index queries, Index keys) const {
  if (kind_ == PositionKind::alibi) return alibi_biases(heads_, queries, keys);
  if (kind_ != PositionKind::relative) return {};
  std::vector<std::int32_t> columns;
  for (Index h = 0; h < heads_; ++h) {
    for (Index i = 0; i < queries + keys - 1; ++i)
      columns.push_back(
          static_cast<std::int32_t>(std::clamp(i - (keys - 1), -farthest, farthest) + farthest));
  }
  return gather(table, 1, Indices({heads_, queries + keys - 1}, std::move(columns)));
}

}  // namespace gradual
