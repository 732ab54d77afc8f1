// Products of few rows with a large weight, again and again.
#pragma once

#include <gradual/core/tensor.hpp>

namespace gradual {

/// A weight W [out, in] in panels: some outputs side by side, all of their inputs below each other. A product
/// then reads it once, from start to end.
///
/// BLAS puts its factors into such an order in each call. With the 250 rows of a beam search that takes an
/// eighth of the time, with the 50 of greedy search a third, and the weight is the same at every step.
class PackedWeight {
 public:
  /// Throws std::invalid_argument unless the weight has two axes.
  explicit PackedWeight(const Tensor& weight);

  Index inputs() const { return inputs_; }
  Index outputs() const { return outputs_; }
  Index panels() const { return panels_.dim(0); }
  /// The outputs of each panel; those of the last one beyond outputs() are 0.
  Index panel_width() const { return panels_.dim(2); }

  /// The outputs of the panels first … last - 1 for each row of x [rows, in]: y[r·stride + j], on the calling
  /// thread.
  void multiply(const Real* x, Index rows, Index first, Index last, Real* y, Index stride) const;

 private:
  Index inputs_, outputs_;
  Tensor panels_;  // [panels, in, panel width]
};

}  // namespace gradual
