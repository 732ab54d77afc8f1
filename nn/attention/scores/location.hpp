// Location-based attention: the query alone says where to look.
#pragma once

#include <gradual/nn/attention/scores/score.hpp>

namespace gradual {

/// score(q, k at place s) = (W·q)_s: the keys' content plays no part, only their places (Luong, Pham and
/// Manning 2015, §3.1).
class LocationScore : public Score {
 public:
  /// W has a row for each of `most_keys` places.
  LocationScore(Index query_width, Index most_keys, Random random);
  void visit(Visitor& visitor) override { visitor("weight", weight); }
  void check_widths(Index query_width, Index key_width) const override;
  bool ends() const override { return true; }
  /// Throws std::invalid_argument when there are more keys than places.
  Var compare(const Var& queries, const Var& prepared) const override;

  Var weight;  // W [most_keys, D_q]
};

}  // namespace gradual
