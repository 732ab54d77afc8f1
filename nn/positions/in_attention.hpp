// Positions told inside self-attention, where distances matter, instead of by vectors added to the
// embeddings.
#pragma once

#include <gradual/autograd/operations.hpp>
#include <gradual/nn/positions/positions.hpp>

namespace gradual {

/// A learned bias for each head and distance j - i, the same beyond 16 places (Shaw, Uszkoreit and Vaswani
/// 2018, eq. 6, with the scalars of Raffel et al. 2020, §2.1, for vectors). They start at 0.
class RelativePositions : public AttentionPositions {
 public:
  explicit RelativePositions(Index heads);
  void visit(Visitor& visitor) override { visitor("bias", table); }
  Var bias(Index queries, Index keys) const override;

  Var table;  // [H, 33]: the biases of the distances -16 … 16
};

/// -2^(-8(h+1)/H)·|j - i| for head h of H, a query at place i and a key at place j (Press, Smith and Lewis
/// 2022, §3), laid out as AttentionPositions::bias() says: [H, T + S - 1].
Tensor alibi_biases(Index heads, Index queries, Index keys);

/// These biases, which are not learned.
class AlibiPositions : public AttentionPositions {
 public:
  explicit AlibiPositions(Index heads) : heads_(heads) {}
  Var bias(Index queries, Index keys) const override;

 private:
  Index heads_;
};

/// Queries and keys turned by their places (Su et al. 2021).
class RotaryPositions : public AttentionPositions {
 public:
  /// Throws std::invalid_argument for heads of an odd width.
  explicit RotaryPositions(Index head_width);
  Var rotated(const Var& packed, Index columns, Index first) const override;

 private:
  Index head_width_;
};

}  // namespace gradual
