// Multi-head attention, all heads in one product.
#pragma once

#include <string>
#include <vector>

#include <gradual/nn/attention/attention.hpp>
#include <gradual/nn/attention/attention_layer.hpp>
#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/layers/layers.hpp>
#include <gradual/nn/positions/positions.hpp>

namespace gradual {

/// What only self-attention has, where queries and keys share their places.
struct SelfAttentionOptions {
  std::string positions = "none";  ///< a kind by its name: see position_kinds()
  /// How many places to either side a query sees; 0: all.
  Index window = 0;
};

/// How the heads compare queries with keys: a score by its name (see score_names), of which each head has its
/// own.
struct HeadScore {
  std::string name = "scaled_dot";  ///< of the score: see score_kinds()
  Index most_keys = 256;            // to how many keys the score location has a weight; see ScoreSizes
};

/// concat(head₁, …, head_H)·W_O with headᵢ = softmax(QᵢKᵢᵀ/√d_k)·Vᵢ (Vaswani et al. 2017, §3.2.2).
///
/// The projections of all heads, and of queries, keys and values, are one matrix [3·D, D]: self-attention is
/// then one large product, and the heads are read where they lie. With a score other than the scaled dot
/// product, softmax(score(Qᵢ, Kᵢ))·Vᵢ, one head is computed after the other. With fewer heads of keys and
/// values, G of them, each serves H/G heads of queries (Ainslie et al. 2023), and the matrix is
/// [D + 2·G·d, D].
class MultiHeadAttention : public AttentionLayer {
 public:
  // ---- Make

  /// A layer of width D, which its heads share; its parameters are drawn from `random`. `dropout` applies to
  /// the weights, which a recorder knows by `name`; `key_value_heads` of 0 are as many as `heads`. Throws
  /// std::invalid_argument unless the heads divide the width, and for an unknown score.
  MultiHeadAttention(Index width, Index heads, double dropout, Random random, std::string name = "attention",
                     const SelfAttentionOptions& self = {}, const HeadScore& score = {},
                     Index key_value_heads = 0);
  /// With all that the settings say, as make_attention_layer() makes it.
  explicit MultiHeadAttention(const AttentionLayerSettings& settings, Random random);
  void visit(Visitor& visitor) override;

  // ---- Attend

  Var operator()(const Var& x, const AttentionMask& mask = {}) const override;
  Var operator()(const Var& x, const Var& memory, const AttentionMask& mask = {}) const override;

  // ---- Word by word, without gradients

  Var next(const Var& x, KeyValueCache& cache) const override;
  /// The keys and values of a memory [B, S, D], for attend().
  KeyValueCache remember(const Var& memory) const override;
  Var attend(const Var& x, const KeyValueCache& memory, const Indices& lengths = {}) const override;

  // ---- Parameters and parts

  Var weight;                           // [3·D, D]: rows of the queries, the keys, the values
  Var bias;                             // [3·D]
  Linear output;                        ///< W_O, which mixes the results of the heads
  Part<AttentionPositions> positions;   ///< what attention itself knows of places, or none
  std::vector<Attention> scored_heads;  // [H] with a score of their own, or none: scaled dot products

 private:
  // What queries, keys and values are, and what they attend to.
  struct Inputs {
    Columns q, k, v;
    AttentionTo to;
  };
  Var attend_columns(const Inputs& inputs, const AttentionMask& mask, const Var& distance_bias) const;
  Var attend_by_score(const Inputs& inputs, const AttentionMask& mask, const Var& distance_bias) const;
  Var attend_cached(const Tensor& queries, const KeyValueCache& cache, const Indices& lengths,
                    const Tensor& key_bias, AttentionTo to) const;
  Var spread(const Var& packed, Index first) const;
  Tensor bias_of_last(Index keys) const;
  Var project(const Var& x, Index first, Index last) const;

  Index width_, heads_, window_, key_value_width_;  // the last is D, or G·d
  Dropout dropout_;
  std::string name_;
};

}  // namespace gradual
