// Attention: a score for each pair of query and key, weights that sum to 1, a weighted average of the values.
#pragma once

#include <memory>
#include <string>

#include <gradual/nn/attention/scores/score.hpp>
#include <gradual/nn/layers/layers.hpp>

namespace gradual {

/// z[b] = x[b]·y[b] for each b: x [B, N, M] and y [B, M, K] give [B, N, K]. Throws std::invalid_argument for
/// other shapes.
Var batch_dot(const Var& x, const Var& y);

/// out = softmax(score(Q, K), masked)·V for any score (Bahdanau, Cho and Bengio 2015, eqs. 5 and 6).
class Attention {
 public:
  /// `dropout` applies to the weights.
  Attention(Part<Score> score, double dropout, Random random, std::string name = "attention");
  void visit(Visitor& visitor);

  /// Queries [B, T, D_q], keys [B, S, D_k] and values [B, S, D_v] give [B, T, D_v]. Throws
  /// std::invalid_argument when they do not fit each other, the score or the mask.
  Var operator()(const Var& queries, const Var& keys, const Var& values,
                 const AttentionMask& mask = {}) const;

  // The same in steps, for models that prepare their keys once or attend many times; they record the weights
  // themselves.

  /// What the score makes of keys [B, S, D_k] alone, once for all queries.
  Var prepare(const Var& keys) const { return score_->prepare(keys); }
  /// The weights [B, T, S] of queries and prepared keys; a `bias` that is defined is added to the scores.
  Var weights(const Var& queries, const Var& prepared, const AttentionMask& mask, const Var& bias = {}) const;
  /// The averages [B, T, D_v] of values by weights, after dropout.
  Var average(const Var& weights, const Var& values) const { return batch_dot(dropout_(weights), values); }

 private:
  Part<Score> score_;
  Dropout dropout_;
  std::string name_;
};

/// The textbook's dot-product attention: queries and keys of one size d, scores qᵀk/√d.
struct DotProductAttention : Attention {
  /// `dropout` is the share of weights that are dropped in training.
  DotProductAttention(double dropout, Random random);
};

/// The textbook's MLP attention: queries and keys of any sizes, scores vᵀ·tanh(W_q·q + W_k·k).
struct MLPAttention : Attention {
  /// Queries, keys and the layer between them have these widths.
  MLPAttention(Index query_width, Index key_width, Index hidden_width, double dropout, Random random);
};

}  // namespace gradual
