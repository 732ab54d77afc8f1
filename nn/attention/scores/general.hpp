// General (bilinear) attention: a dot product under a learned matrix.
#pragma once

#include <gradual/nn/attention/scores/score.hpp>

namespace gradual {

/// score(q, k) = qᵀ·W·k, for queries and keys of different sizes (Luong, Pham and Manning 2015, §3.1).
class GeneralScore : public Score {
 public:
  /// W is [query_width, key_width].
  GeneralScore(Index query_width, Index key_width, Random random);
  void visit(Visitor& visitor) override { visitor("weight", weight); }
  void check_widths(Index query_width, Index key_width) const override;
  Var prepare(const Var& keys) const override { return linear(keys, weight); }  // [B, S, D_q]
  Var compare(const Var& queries, const Var& prepared) const override;

  Var weight;  // W [D_q, D_k]
};

}  // namespace gradual
