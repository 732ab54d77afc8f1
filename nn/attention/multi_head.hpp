// Multi-head attention, all heads in one product.
#pragma once

#include <string>
#include <vector>

#include <gradual/nn/attention/attention.hpp>
#include <gradual/nn/attention/cache.hpp>
#include <gradual/nn/attention/positions.hpp>
#include <gradual/nn/layers/layers.hpp>

namespace gradual {

/// What only self-attention has, where queries and keys share their places.
struct SelfAttentionOptions {
  PositionKind positions = PositionKind::none;
  /// How many places to either side a query sees; 0: all.
  Index window = 0;
};

/// How the heads compare queries with keys: a score by its name (see score_names), of which each head has its
/// own.
struct HeadScore {
  std::string name = "scaled_dot";
  Index most_keys = 256;  // of location; see ScoreSizes
};

/// concat(head₁, …, head_H)·W_O with headᵢ = softmax(QᵢKᵢᵀ/√d_k)·Vᵢ (Vaswani et al. 2017, §3.2.2).
///
/// The projections of all heads, and of queries, keys and values, are one matrix [3·D, D]: self-attention is
/// then one large product, and the heads are read where they lie. With a score other than the scaled dot
/// product, softmax(score(Qᵢ, Kᵢ))·Vᵢ, one head is computed after the other.
class MultiHeadAttention {
 public:
  /// `dropout` applies to the weights. Throws std::invalid_argument unless the heads divide the width, and
  /// for an unknown score.
  MultiHeadAttention(Index width, Index heads, double dropout, Random random, std::string name = "attention",
                     const SelfAttentionOptions& self = {}, const HeadScore& score = {});
  void visit(Visitor& visitor);

  /// Self-attention: x [B, T, D] attends to itself.
  Var operator()(const Var& x, const AttentionMask& mask = {}) const;
  /// x [B, T, D] attends to memory [B, S, D], such as a decoder to the encoder's output.
  Var operator()(const Var& x, const Var& memory, const AttentionMask& mask = {}) const;

  // Word by word, for a model that writes and is not in training: no gradients.

  /// One more word x [B, 1, D] attends to itself and all before it.
  Var next(const Var& x, KeyValueCache& cache) const;
  /// The keys and values of a memory [B, S, D], for attend().
  KeyValueCache remember(const Var& memory) const;
  /// One word x [B, 1, D] attends to a remembered memory, of which each row has lengths[r] words (empty:
  /// all).
  Var attend(const Var& x, const KeyValueCache& memory, const Indices& lengths = {}) const;

  Var weight;  // [3·D, D]: rows of the queries, the keys, the values
  Var bias;    // [3·D]
  Linear output;
  AttentionPositions positions;
  std::vector<Attention> scored_heads;  // [H] with a score of their own, or none: scaled dot products

 private:
  Var attend_columns(const Columns& q, const Columns& k, const Columns& v, const AttentionMask& mask,
                     const Var& distance_bias) const;
  Var attend_by_score(const Columns& q, const Columns& k, const Columns& v, const AttentionMask& mask,
                      const Var& distance_bias) const;
  Var attend_cached(const Tensor& queries, const KeyValueCache& cache, const Indices& lengths,
                    const Tensor& key_bias) const;
  Tensor bias_of_last(Index keys) const;
  Var project(const Var& x, Index first, Index last) const;

  Index width_, heads_, window_;
  Dropout dropout_;
  std::string name_;
};

}  // namespace gradual
