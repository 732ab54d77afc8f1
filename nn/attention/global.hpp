// Global attention: a collection of any size becomes one vector.
#pragma once

#include <string>

#include <gradual/nn/attention/attention.hpp>

namespace gradual {

/// z = Σ_i p_i·value_i with weights p = softmax_i(score(query, key_i)): one learned query asks all items how
/// much they matter.
///
/// The keys may be the items themselves or what is known about them besides: their places, the words around
/// them (neighbourhood_means), another embedding, or several of these joined along the last axis.
class GlobalAttention {
 public:
  /// One learned query of this width; the weights are recorded under the name.
  GlobalAttention(Part<Score> score, Index query_width, Random random, std::string name = "global_attention");
  void visit(Visitor& visitor);

  /// Items [B, N, D] of which the first `valid` [B] of each collection count (empty: all) give [B, D]. A
  /// collection without items gives zeros.
  Var operator()(const Var& items, const Indices& valid = {}) const { return (*this)(items, items, valid); }
  /// The same with keys [B, N, D_k] and values [B, N, D_v] of their own: [B, D_v].
  Var operator()(const Var& keys, const Var& values, const Indices& valid = {}) const;

  Var query;  // [1, D_q]

 private:
  Attention attention_;
};

/// The mean of the first `valid` [B] items of each collection (empty: all): [B, D] for items [B, N, D]. What
/// global attention is when all scores are equal; a collection without items gives zeros.
Var mean_of_items(const Var& items, const Indices& valid = {});

/// c_i = the mean of the items at most `radius` places from i, itself included: [B, N, D] for items [B, N, D]
/// of which the first `valid` [B] of each collection count (empty: all). Throws std::invalid_argument when
/// the lengths do not fit or the radius is negative.
Var neighbourhood_means(const Var& items, Index radius, const Indices& valid = {});

}  // namespace gradual
