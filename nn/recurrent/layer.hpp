// A recurrent layer: a cell that walks over sentences of different lengths.
#pragma once

#include <vector>

#include <gradual/nn/recurrent/cell.hpp>

namespace gradual {

/// Which way a layer walks over a sentence.
enum class Direction { forward, both };

/// Walks over each sentence from its first word to its last and, with Direction::both, with a second cell
/// from its last to its first (Schuster and Paliwal 1997).
class RecurrentLayer {
 public:
  RecurrentLayer(CellKind kind, Index input_width, Index hidden_width, Direction direction, Random random);
  void visit(Visitor& visitor) { visitor("cells", cells); }

  /// What a layer says of each word and of the whole.
  struct Output {
    Var outputs;  // [B, T, H], or [B, T, 2·H] in both directions; zeros beyond a sentence's length
    Var last;  // the states after the last step of each direction, side by side: [B, state] or [B, 2·state]
  };
  /// x [B, T, in], of which the first `lengths` [B] words of each sentence count (empty: all). Throws
  /// std::invalid_argument when x has another shape, has no words, or a length lies outside 0 … T.
  Output operator()(const Var& x, const Indices& lengths = {}) const;

  std::vector<RecurrentCell> cells;  // forward, and backward
};

}  // namespace gradual
