// How a model learns where each word stands: attention by itself cannot tell one order from another.
#pragma once

#include <functional>
#include <string>

#include <gradual/autograd/var.hpp>
#include <gradual/core/random.hpp>
#include <gradual/nn/part.hpp>

namespace gradual {

/// Vectors that are added to the embeddings of words.
class PositionVectors {
 public:
  virtual ~PositionVectors() = default;
  virtual void visit(Visitor&) {}
  /// The vectors of places first … first + count - 1, [count, D]. Throws std::invalid_argument beyond the
  /// last place where there is one.
  virtual Var operator()(Index first, Index count) const = 0;
};

/// What one layer of self-attention knows of the places i of a query and j of a key.
class AttentionPositions {
 public:
  virtual ~AttentionPositions() = default;
  virtual void visit(Visitor&) {}
  /// The packed projections [B, N, W] of the places from `first` on, whose first `columns` columns hold the
  /// heads of queries and keys, turned if they are to be.
  virtual Var rotated(const Var& packed, Index columns, Index first) const {
    static_cast<void>(columns), static_cast<void>(first);
    return packed;
  }
  /// What is added to the scores of T queries, the last of S places, by head and distance j - i:
  /// [H, T + S - 1]; not defined where there is nothing to add.
  virtual Var bias(Index queries, Index keys) const {
    static_cast<void>(queries), static_cast<void>(keys);
    return {};
  }
};

/// A kind of positions: vectors, something inside self-attention, both, or nothing where a maker is empty.
struct PositionKind {
  std::function<Part<PositionVectors>(Index max_length, Index width, Random random)> vectors;
  std::function<Part<AttentionPositions>(Index heads, Index head_width, Random random)> in_attention;
  bool ends = false;  ///< whether there are only max_length places
};
/// The kinds by their names: sinusoidal, learned (vectors; see vectors.hpp), relative, alibi, rotary (inside
/// attention; see in_attention.hpp), none, and those that a program adds.
Registry<PositionKind>& position_kinds();

/// The vectors of a kind; zeros where it has none. Throws std::invalid_argument for an unknown name.
Part<PositionVectors> make_position_vectors(const std::string& kind, Index max_length, Index width,
                                            Random random);
/// What self-attention of so many heads knows by a kind; nothing where it has none. Throws
/// std::invalid_argument for an unknown name.
Part<AttentionPositions> make_attention_positions(const std::string& kind, Index heads, Index head_width,
                                                  Random random);

}  // namespace gradual
