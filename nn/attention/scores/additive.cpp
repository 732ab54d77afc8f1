#include <gradual/nn/attention/scores/additive.hpp>

#include <gradual/core/error.hpp>
#include <gradual/nn/layers/initialization.hpp>

namespace gradual {

AdditiveScore::AdditiveScore(Index query_width, Index key_width, Index hidden_width, Random random)
    : query_weight(Var::parameter(glorot_uniform(hidden_width, query_width, random))),
      key_weight(Var::parameter(glorot_uniform(hidden_width, key_width, random))),
      v(Var::parameter(glorot_uniform(1, hidden_width, random).with_shape({hidden_width}))) {}

void AdditiveScore::visit(Visitor& visitor) {
  visitor("query_weight", query_weight);
  visitor("key_weight", key_weight);
  visitor("v", v);
}

void AdditiveScore::check_widths(Index query_width, Index key_width) const {
  if (query_width != query_weight.dim(1) || key_width != key_weight.dim(1))
    throw std::invalid_argument(text("additive score: it was made for queries of ", query_weight.dim(1),
                                     " and keys of ", key_weight.dim(1), " numbers: got ", query_width,
                                     " and ", key_width));
}

Var AdditiveScore::compare(const Var& queries, const Var& prepared) const {
  return additive_scores(linear(queries, query_weight), prepared, v);
}

}  // namespace gradual
