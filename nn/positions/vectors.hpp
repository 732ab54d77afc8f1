// Positions as vectors that are added to the embeddings.
#pragma once

#include <memory>

#include <gradual/nn/positions/positions.hpp>

namespace gradual {

/// The table [length, width] of Vaswani et al. 2017, §3.5: sin(p / 10000^(2i/D)) in column 2i, cos of the
/// same in 2i + 1.
Tensor sinusoidal_positions(Index length, Index width);

/// The rows of that table, for as many places as are asked for.
class SinusoidalPositions : public PositionVectors {
 public:
  /// Computes `length` rows at once, and more when they are needed.
  SinusoidalPositions(Index length, Index width);
  Var operator()(Index first, Index count) const override;

 private:
  struct Table;
  std::shared_ptr<Table> table_;  // made longer when needed, by any thread
};

/// A learned vector for each of `max_length` places. They start with a deviation of 1, for embeddings of that
/// size.
class LearnedPositions : public PositionVectors {
 public:
  LearnedPositions(Index max_length, Index width, Random random);
  void visit(Visitor& visitor) override { visitor("weight", weight); }
  /// Throws std::invalid_argument beyond the last place.
  Var operator()(Index first, Index count) const override;

  Var weight;  // [max_length, D]
};

}  // namespace gradual
