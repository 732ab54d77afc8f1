// The layers of the encoder and the decoder.
#pragma once

#include <string>

#include <gradual/nn/attention/multi_head.hpp>
#include <gradual/nn/transformer/config.hpp>

namespace gradual {

/// A part of a layer with its shortcut: x + dropout(part(norm(x))), or norm(x + dropout(part(x))) with the
/// norm after.
class Residual {
 public:
  Residual(Index width, double dropout, NormPlace place, Random random)
      : norm(width), dropout_(dropout, random), place_(place) {}
  void visit(Visitor& visitor);

  template <class Part>
  Var operator()(const Var& x, Part&& part) const {
    if (place_ == NormPlace::before) return add_dropped(x, part(norm(x)), dropout_.next_mask());
    return norm(add_dropped(x, part(x), dropout_.next_mask()));
  }

  LayerNorm norm;

 private:
  Dropout dropout_;
  NormPlace place_;
};

/// Self-attention, then the feed-forward network, each with its residual (Vaswani et al. 2017, §3.1).
class EncoderLayer {
 public:
  EncoderLayer(const TransformerConfig& config, Random random, const std::string& name);
  void visit(Visitor& visitor);
  /// x [B, S, D] to [B, S, D].
  Var operator()(const Var& x, const AttentionMask& mask) const;
  /// One more token, [B, 1, D] to [B, 1, D], that sees all before it.
  Var next(const Var& x, KeyValueCache& cache) const;

  MultiHeadAttention self_attention;
  FeedForward feed_forward;
  Residual around_attention, around_feed_forward;
};

/// What a decoder layer remembers while it writes word by word.
struct DecoderLayerState {
  KeyValueCache own;     // of the words written so far
  KeyValueCache source;  // of the encoder's output
};

/// Causal self-attention, attention to the encoder's output, then the feed-forward network.
class DecoderLayer {
 public:
  DecoderLayer(const TransformerConfig& config, Random random, const std::string& name);
  void visit(Visitor& visitor);
  /// x [B, T, D] and memory [B, S, D] to [B, T, D].
  Var operator()(const Var& x, const Var& memory, const AttentionMask& memory_mask) const;
  /// One more word, [B, 1, D] to [B, 1, D].
  Var next(const Var& x, DecoderLayerState& state, const Indices& source_lengths) const;

  MultiHeadAttention self_attention, cross_attention;
  FeedForward feed_forward;
  Residual around_self, around_cross, around_feed_forward;
};

}  // namespace gradual
