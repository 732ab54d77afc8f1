// When training no longer helps.
#pragma once

#include <cmath>

#include <gradual/core/real.hpp>

namespace gradual {

/// Follows a figure that should fall, such as the loss on sentences that are not trained on, and counts how
/// often in a row it was no better than its best.
class Patience {
 public:
  /// True when `value` is the lowest so far.
  bool improves(double value) {
    since_best_ = std::isfinite(value) && value < best_ ? 0 : since_best_ + 1;
    if (since_best_ == 0) best_ = value;
    return since_best_ == 0;
  }
  /// The best figure so far.
  double best() const { return best_; }
  /// Whether any figure was one: a loss that is not finite is not.
  bool has_best() const { return best_ < none; }
  /// How many figures came after it.
  Index since_best() const { return since_best_; }

  /// What a later run needs to go on.
  void set(double best, Index since_best) {
    best_ = best;
    since_best_ = since_best;
  }

 private:
  static constexpr double none = 1e300;
  double best_ = none;
  Index since_best_ = 0;
};

}  // namespace gradual
