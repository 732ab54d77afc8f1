// Content-based attention: the angle between query and key, whatever their lengths.
#pragma once

#include <gradual/nn/attention/scores/score.hpp>

namespace gradual {

/// score(q, k) = β·qᵀk / (‖q‖·‖k‖) with a learned sharpness β > 0 (Graves, Wayne and Danihelka 2014, eqs. 5
/// and 6).
///
/// Cosines lie between -1 and 1, too close together for a softmax to choose; β stretches them.
class CosineScore : public Score {
 public:
  /// `sharpness` is β's first value. Throws std::invalid_argument unless it is positive.
  explicit CosineScore(Real sharpness = 10);
  void visit(Visitor& visitor) override { visitor("log_sharpness", log_sharpness); }
  void check_widths(Index query_width, Index key_width) const override;
  Var prepare(const Var& keys) const override;
  Var compare(const Var& queries, const Var& prepared) const override;

  Var log_sharpness;  // log β [1]: β stays positive whatever a training step does
};

}  // namespace gradual
