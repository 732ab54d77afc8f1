// Places told inside self-attention, where distances matter, instead of by vectors added to the embeddings.
#pragma once

#include <gradual/autograd/operations.hpp>
#include <gradual/core/random.hpp>
#include <gradual/nn/layers/positions.hpp>
#include <gradual/nn/module.hpp>

namespace gradual {

/// What one layer of self-attention knows of the places i of a query and j of a key:
///   relative  a learned bias for each head and j - i, the same beyond 16 places (Shaw, Uszkoreit and
///             Vaswani 2018, eq. 6, with the scalars of Raffel et al. 2020, §2.1, for vectors)
///   alibi     a fixed bias -2^(-8(h+1)/H)·|j - i| for head h of H (Press, Smith and Lewis 2022, §3)
///   rotary    queries and keys turned by their places (Su et al. 2021)
/// and nothing for the other kinds, which the embeddings carry.
class AttentionPositions {
 public:
  /// Throws std::invalid_argument for rotary positions in heads of an odd width.
  AttentionPositions(PositionKind kind, Index heads, Index head_width);
  void visit(Visitor& visitor) { visitor("bias", table); }

  /// The packed projections [B, N, W] of the places from `first` on, with queries and keys in the first
  /// columns, turned if they are to be.
  Var rotated(const Var& packed, Index first) const;
  /// What is added to the scores of T queries, the last of S places, by head and distance j - i:
  /// [H, T + S - 1]; not defined where there is nothing to add.
  Var bias(Index queries, Index keys) const;

  Var table;  // [H, 33] of relative positions: the biases of the distances -16 … 16

 private:
  PositionKind kind_;
  Index heads_, head_width_;
};

}  // namespace gradual
