#include <gradual/nn/attention/scores/general.hpp>

#include <gradual/core/error.hpp>
#include <gradual/nn/layers/initialization.hpp>

namespace gradual {

GeneralScore::GeneralScore(Index query_width, Index key_width, Random random)
    : weight(Var::parameter(glorot_uniform(query_width, key_width, random))) {}

void GeneralScore::check_widths(Index query_width, Index key_width) const {
  if (query_width != weight.dim(0) || key_width != weight.dim(1))
    throw std::invalid_argument(text("general score: it was made for queries of ", weight.dim(0),
                                     " and keys of ", weight.dim(1), " numbers: got ", query_width, " and ",
                                     key_width));
}

Var GeneralScore::compare(const Var& queries, const Var& prepared) const {
  return matmul(queries, prepared, {false, true});
}

}  // namespace gradual
