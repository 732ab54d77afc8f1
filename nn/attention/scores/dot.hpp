// Dot-product attention: a key answers a query when both point the same way.
#pragma once

#include <gradual/nn/attention/scores/score.hpp>

namespace gradual {

/// score(q, k) = qᵀ·k, for queries and keys of one size (Luong, Pham and Manning 2015, §3.1).
class DotScore : public Score {
 public:
  void check_widths(Index query_width, Index key_width) const override;
  Var compare(const Var& queries, const Var& prepared) const override;
};

/// score(q, k) = qᵀ·k / √d (Vaswani et al. 2017, eq. 1).
///
/// The dot product of two vectors of d independent numbers with variance 1 has variance d; dividing by √d
/// brings it back to 1, so that the softmax stays soft. It does not bound the scores.
class ScaledDotScore : public DotScore {
 public:
  Var compare(const Var& queries, const Var& prepared) const override;
};

}  // namespace gradual
