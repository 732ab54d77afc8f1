// Multi-head attention, all heads in one product.
#pragma once

#include <string>

#include <gradual/nn/layers/layers.hpp>

namespace gradual {

/// The keys and values that a decoder has seen, kept so that each new word costs one step and not a new pass
/// over the prefix. Grows in place.
struct KeyValueCache {
  Tensor keys_values;  // [B, capacity, 2·D]: a word's key and value side by side
  Index length = 0;

  /// Appends the columns from `first` on of each row of packed [B, N, …], 2·D of them.
  void append(const Tensor& packed, Index first, Index width);
  /// Keeps the sentences `rows` in that order; a row may be named more than once.
  void select(const std::vector<Index>& rows);
};

/// concat(head₁, …, head_H)·W_O with headᵢ = softmax(QᵢKᵢᵀ/√d_k)·Vᵢ (Vaswani et al. 2017, §3.2.2).
///
/// The projections of all heads, and of queries, keys and values, are one matrix [3·D, D]: self-attention is
/// then one large product, and the heads are read where they lie.
class MultiHeadAttention {
 public:
  /// `dropout` applies to the weights. Throws std::invalid_argument unless the heads divide the width.
  MultiHeadAttention(Index width, Index heads, double dropout, Random random, std::string name = "attention");
  void visit(Visitor& visitor);

  /// Self-attention: x [B, T, D] attends to itself.
  Var operator()(const Var& x, const AttentionMask& mask = {}) const;
  /// x [B, T, D] attends to memory [B, S, D], such as a decoder to the encoder's output.
  Var operator()(const Var& x, const Var& memory, const AttentionMask& mask = {}) const;

  /// One more word x [B, 1, D] attends to itself and all before it. No gradients.
  Var next(const Var& x, KeyValueCache& cache) const;
  /// The keys and values of a memory, for attend().
  KeyValueCache remember(const Var& memory) const;
  /// x [B, T, D] attends to a remembered memory. No gradients.
  Var attend(const Var& x, const KeyValueCache& memory, const AttentionMask& mask = {}) const;

  Var weight;  // [3·D, D]: rows of the queries, the keys, the values
  Var bias;    // [3·D]
  Linear output;

 private:
  Var attend_columns(const Columns& q, const Columns& k, const Columns& v, const AttentionMask& mask) const;
  Var project(const Var& x, Index first, Index last) const;

  Index width_, heads_;
  Dropout dropout_;
  std::string name_;
};

}  // namespace gradual
