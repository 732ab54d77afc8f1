#include <gradual/nn/attention/scores/concat.hpp>

#include <gradual/core/error.hpp>
#include <gradual/nn/layers/initialization.hpp>

namespace gradual {

ConcatScore::ConcatScore(Index query_width, Index key_width, Index hidden_width, Random random)
    : weight(Var::parameter(glorot_uniform(hidden_width, query_width + key_width, random))),
      v(Var::parameter(glorot_uniform(1, hidden_width, random).with_shape({hidden_width}))),
      query_width_(query_width) {}

void ConcatScore::visit(Visitor& visitor) {
  visitor("weight", weight);
  visitor("v", v);
}

void ConcatScore::check_widths(Index query_width, Index key_width) const {
  if (query_width != query_width_ || query_width + key_width != weight.dim(1))
    throw std::invalid_argument(text("concat score: it was made for queries of ", query_width_,
                                     " and keys of ", weight.dim(1) - query_width_, " numbers: got ",
                                     query_width, " and ", key_width));
}

Var ConcatScore::prepare(const Var& keys) const {
  return linear(keys, slice(weight, 1, query_width_, weight.dim(1)));
}

Var ConcatScore::compare(const Var& queries, const Var& prepared) const {
  return additive_scores(linear(queries, slice(weight, 1, 0, query_width_)), prepared, v);
}

}  // namespace gradual
