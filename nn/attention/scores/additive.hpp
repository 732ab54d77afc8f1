// Additive attention: a small network looks at query and key together.
#pragma once

#include <gradual/nn/attention/scores/score.hpp>

namespace gradual {

/// score(q, k) = vᵀ·tanh(W_q·q + W_k·k), for queries and keys of different sizes (Bahdanau, Cho and Bengio
/// 2015, §A.1.2; the "MLP attention" of textbooks).
class AdditiveScore : public Score {
 public:
  /// Queries, keys and the layer between them have these widths.
  AdditiveScore(Index query_width, Index key_width, Index hidden_width, Random random);
  void visit(Visitor& visitor) override;
  void check_widths(Index query_width, Index key_width) const override;
  Var prepare(const Var& keys) const override { return linear(keys, key_weight); }
  Var compare(const Var& queries, const Var& prepared) const override;

  Var query_weight;  // W_q [hidden, D_q]
  Var key_weight;    // W_k [hidden, D_k]
  Var v;             // [hidden]
};

}  // namespace gradual
