#include <gradual/nn/attention/scores/location.hpp>

#include <gradual/core/error.hpp>
#include <gradual/nn/layers/initialization.hpp>

namespace gradual {

LocationScore::LocationScore(Index query_width, Index most_keys, Random random)
    : weight(Var::parameter(glorot_uniform(most_keys, query_width, random))) {}

void LocationScore::check_widths(Index query_width, Index) const {
  if (query_width != weight.dim(1))
    throw std::invalid_argument(
        text("location score: it was made for queries of ", weight.dim(1), " numbers: got ", query_width));
}

Var LocationScore::compare(const Var& queries, const Var& prepared) const {
  const Index keys = prepared.dim(1);
  if (keys > weight.dim(0))
    throw std::invalid_argument(
        text("location score: it was made for up to ", weight.dim(0), " keys: got ", keys));
  return linear(queries, slice(weight, 0, 0, keys));
}

}  // namespace gradual
