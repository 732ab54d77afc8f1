// The layers of the encoder and the decoder.
#pragma once

#include <functional>
#include <string>

#include <gradual/nn/attention/attention_layer.hpp>
#include <gradual/nn/layers/feed_forward.hpp>
#include <gradual/nn/layers/norms.hpp>
#include <gradual/nn/transformer/config.hpp>

namespace gradual {

/// A part of a layer with its shortcut: x + dropout(part(norm(x))), or norm(x + dropout(part(x))) with the
/// norm after.
class Residual {
 public:
  /// Around this norm.
  Residual(Part<Layer> with_norm, double dropout, NormPlace place, Random random)
      : norm(std::move(with_norm)), dropout_(dropout, random), place_(place) {}
  /// With the norm, its place and the dropout of a configuration.
  Residual(const LayerConfig& config, Random random)
      : Residual(make_norm(config.norm_kind, config.width, random), config.dropout, config.norm, random) {}
  void visit(Visitor& visitor);

  /// x + dropout(part(norm(x))), or norm(x + dropout(part(x))) where the norm stands after the sum.
  Var operator()(const Var& x, const std::function<Var(const Var&)>& part) const;

  Part<Layer> norm;  ///< Of the part's input, or of the sum.

 private:
  Dropout dropout_;
  NormPlace place_;
};

/// A layer of an encoder, or of a decoder without a source: x [B, S, D] to [B, S, D].
class EncoderBlock {
 public:
  virtual ~EncoderBlock() = default;
  virtual void visit(Visitor& visitor) = 0;
  /// The sentences x [B, S, D] one layer higher, of the same shape.
  virtual Var operator()(const Var& x, const AttentionMask& mask) const = 0;
  /// One more token, [B, 1, D] to [B, 1, D], that sees all before it. Unless it is told how, a layer
  /// remembers what it was given and computes all of it again.
  virtual Var next(const Var& x, KeyValueCache& cache) const;
};

/// Self-attention, then the feed-forward network, each with its residual (Vaswani et al. 2017, §3.1).
class EncoderLayer : public EncoderBlock {
 public:
  /// Attention is recorded under names that begin with `name`. Throws std::invalid_argument for a bad
  /// configuration.
  EncoderLayer(const LayerConfig& config, Random random, const std::string& name);
  void visit(Visitor& visitor) override;
  /// Self-attention, then the feed-forward network, each with its shortcut: [B, S, D].
  Var operator()(const Var& x, const AttentionMask& mask) const override;
  Var next(const Var& x, KeyValueCache& cache) const override;

  Part<AttentionLayer> self_attention;  ///< Among the words of a sentence.
  Part<Layer> feed_forward;             ///< Each word by itself.
  Residual around_attention;            ///< Norm, dropout and shortcut.
  Residual around_feed_forward;         ///< Norm, dropout and shortcut.
};

/// What a decoder layer remembers while it writes word by word.
struct DecoderLayerState {
  KeyValueCache own;     // of the words written so far
  KeyValueCache source;  // of the encoder's output
};

/// A layer of a decoder: x [B, T, D] and memory [B, S, D] to [B, T, D], where no word sees those after it.
class DecoderBlock {
 public:
  virtual ~DecoderBlock() = default;
  virtual void visit(Visitor& visitor) = 0;
  /// The words x [B, T, D] one layer higher, which see those before them and the memory [B, S, D].
  virtual Var operator()(const Var& x, const Var& memory, const AttentionMask& memory_mask) const = 0;
  /// What next() needs of the encoder's output [B, S, D] before the first word.
  virtual DecoderLayerState start(const Var& memory) const;
  /// One more word, [B, 1, D] to [B, 1, D]. Unless they are told how, these two remember what the layer was
  /// given and compute all of it again.
  virtual Var next(const Var& x, DecoderLayerState& state, const Indices& source_lengths) const;
};

/// Causal self-attention, attention to the encoder's output, then the feed-forward network.
class DecoderLayer : public DecoderBlock {
 public:
  /// As EncoderLayer.
  DecoderLayer(const LayerConfig& config, Random random, const std::string& name);
  void visit(Visitor& visitor) override;
  /// Causal self-attention, attention to the memory, then the feed-forward network, each with its shortcut.
  Var operator()(const Var& x, const Var& memory, const AttentionMask& memory_mask) const override;
  DecoderLayerState start(const Var& memory) const override;
  Var next(const Var& x, DecoderLayerState& state, const Indices& source_lengths) const override;

  Part<AttentionLayer> self_attention;   ///< Among the words that are written.
  Part<AttentionLayer> cross_attention;  ///< From those to the encoder's output.
  Part<Layer> feed_forward;              ///< Each word by itself.
  Residual around_self;                  ///< Norm, dropout and shortcut.
  Residual around_cross;                 ///< Norm, dropout and shortcut.
  Residual around_feed_forward;          ///< Norm, dropout and shortcut.
};

/// Make a layer; attention is recorded under names that begin with `name`, such as "encoder.0".
using MakeEncoderLayer =
    std::function<Part<EncoderBlock>(const LayerConfig& config, Random random, const std::string& name)>;
using MakeDecoderLayer =
    std::function<Part<DecoderBlock>(const LayerConfig& config, Random random, const std::string& name)>;
/// The layers by their names: standard (EncoderLayer, DecoderLayer), and those that a program adds.
Registry<MakeEncoderLayer>& encoder_layers();
Registry<MakeDecoderLayer>& decoder_layers();
/// Throw std::invalid_argument for a kind that is not known.
Part<EncoderBlock> make_encoder_layer(const std::string& kind, const LayerConfig& config, Random random,
                                      const std::string& name);
Part<DecoderBlock> make_decoder_layer(const std::string& kind, const LayerConfig& config, Random random,
                                      const std::string& name);

}  // namespace gradual
