// The cells of recurrent networks.
#pragma once

#include <gradual/autograd/operations.hpp>
#include <gradual/core/names.hpp>
#include <gradual/core/random.hpp>
#include <gradual/nn/module.hpp>

namespace gradual {

/// The kinds of recurrent cells.
enum class CellKind { gru, lstm };
/// Their names.
inline const Names<CellKind>& cell_kinds() {
  static const Names<CellKind> names("recurrent: the cell",
                                     {{"gru", CellKind::gru}, {"lstm", CellKind::lstm}});
  return names;
}

/// What carries a sentence from one word to the next: a GRU (Cho et al. 2014) or an LSTM (Hochreiter and
/// Schmidhuber 1997). The gates' order and equations are PyTorch's; see core/layers/recurrent.hpp.
///
/// A state is h [B, H] for a GRU, and h and c side by side, [B, 2·H], for an LSTM.
class RecurrentCell {
 public:
  /// Weights and biases start uniform within ±1/√H.
  RecurrentCell(CellKind kind, Index input_width, Index hidden_width, Random random);
  void visit(Visitor& visitor);

  /// The width of h.
  Index hidden_width() const { return hidden_weight.dim(1); }
  /// The width of the state: h, and of an LSTM c beside it.
  Index state_width() const { return kind_ == CellKind::gru ? hidden_width() : 2 * hidden_width(); }
  /// A state of zeros.
  Var start(Index batch) const { return Tensor::zeros({batch, state_width()}); }
  /// h of a state, [B, H].
  Var hidden(const Var& state) const;

  /// The inputs' share of the gates, W·x + b: x [B, T, in] to [B, T, G·H] for all steps in one product.
  Var project(const Var& x) const { return linear(x, input_weight, input_bias); }
  /// The next state, from one step of projected inputs [B, T, G·H] and the state before. Sentences that are
  /// shorter keep theirs.
  Var operator()(const RecurrentStep& step, const Var& projected, const Var& state) const;

  Var input_weight;             // [G·H, in] with G = 3 gates of a GRU and 4 of an LSTM
  Var hidden_weight;            // [G·H, H]
  Var input_bias, hidden_bias;  // [G·H]

 private:
  CellKind kind_;
};

}  // namespace gradual
