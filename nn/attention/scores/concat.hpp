// Concat attention: one matrix looks at query and key side by side.
#pragma once

#include <gradual/nn/attention/scores/score.hpp>

namespace gradual {

/// score(q, k) = vᵀ·tanh(W·[q; k]) (Luong, Pham and Manning 2015, §3.1).
///
/// With W = [W_q W_k] this is W_q·q + W_k·k under the tanh, so it computes what additive attention computes;
/// only the first values of the weights differ. The pairs are never put side by side: that would repeat each
/// product T or S times.
class ConcatScore : public Score {
 public:
  /// Queries, keys and the layer between them have these widths.
  ConcatScore(Index query_width, Index key_width, Index hidden_width, Random random);
  void visit(Visitor& visitor) override;
  void check_widths(Index query_width, Index key_width) const override;
  Var prepare(const Var& keys) const override;
  Var compare(const Var& queries, const Var& prepared) const override;

  Var weight;  // W [hidden, D_q + D_k]
  Var v;       // [hidden]

 private:
  Index query_width_;
};

}  // namespace gradual
