#include <gradual/nn/attention/scores/dot.hpp>

#include <cmath>

#include <gradual/core/error.hpp>

namespace gradual {

void DotScore::check_widths(Index query_width, Index key_width) const {
  if (query_width != key_width)
    throw std::invalid_argument(text("dot score: queries and keys must have one size: queries have ",
                                     query_width, " numbers, keys ", key_width,
                                     "; additive, general and concat compare different sizes"));
}

Var DotScore::compare(const Var& queries, const Var& prepared) const {
  return matmul(queries, prepared, {false, true});
}

Var ScaledDotScore::compare(const Var& queries, const Var& prepared) const {
  return DotScore::compare(queries / std::sqrt(static_cast<Real>(queries.dim(2))), prepared);
}

}  // namespace gradual
