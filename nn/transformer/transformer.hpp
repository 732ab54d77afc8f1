// The encoder–decoder transformer.
#pragma once

#include <memory>
#include <vector>

#include <gradual/nn/positions/positions.hpp>
#include <gradual/nn/seq2seq/model.hpp>
#include <gradual/nn/transformer/layers.hpp>

namespace gradual {

struct TransformerState;

/// A transformer that reads one sentence and writes another (Vaswani et al. 2017).
class Transformer : public TranslationModel {
 public:
  // ---- Make

  /// Throws std::invalid_argument for a bad configuration.
  Transformer(const TransformerConfig& config, Random random);
  void visit(Visitor& visitor) override;
  /// What it was made of.
  const TransformerConfig& config() const { return config_; }

  // ---- Encode, decode and judge

  /// The encoder's output [B, S, D].
  Var encode(const SourceBatch& source) const;
  /// The decoder's output [B, T, D] for the words ids [B, T], each of which sees only itself and those before
  /// it.
  Var decode(const Indices& ids, const Var& memory, const AttentionMask& memory_mask) const;
  /// Scores of all words of the target vocabulary, [..., V], from the decoder's output.
  Var logits(const Var& decoded) const { return linear(decoded, output_weight(), output_bias); }
  Var loss(const TranslationBatch& batch, const CrossEntropyOptions& options) const override;

  // ---- What it is, and how it computes

  ModelConfig description() const override { return config_; }
  Index max_length() const override { return config_.ends() ? config_.max_length : 0; }
  Precision precision() const override { return packed_->precision(); }
  void set_precision(Precision precision) override { packed_ = std::make_shared<PackedWeights>(precision); }
  bool takes_shortlists() const override { return !output_bias.defined(); }

  // ---- Word by word, without gradients

  std::unique_ptr<TranslationModel::State> start(const SourceBatch& source) const override;
  Tensor next(const Indices& ids, TranslationModel::State& state) const override;
  TopClasses next_best(const Indices& ids, TranslationModel::State& state, Index count,
                       const std::vector<std::int32_t>& excluded) const override;

 private:
  Var embed(const Indices& ids, const Embedding& table, Index first) const;
  Tensor decode_next(const Indices& ids, TransformerState& state) const;
  const Var& output_weight() const { return config_.tied_output ? target_embedding.weight : output.weight; }

  TransformerConfig config_;
  std::shared_ptr<PackedWeights> packed_ = std::make_shared<PackedWeights>();

 public:
  // ---- Parameters and parts

  Embedding source_embedding;               ///< Of the words that are read.
  Embedding target_embedding;               ///< Of the words that are written.
  Part<PositionVectors> positions;          ///< Added to both.
  std::vector<Part<EncoderBlock>> encoder;  ///< First to last.
  std::vector<Part<DecoderBlock>> decoder;  ///< First to last.
  Part<Layer> encoder_norm;                 ///< Used only where the norms stand before the parts.
  Part<Layer> decoder_norm;                 ///< The same.
  Linear output;                            ///< Unused, and without a weight, when tied.
  Var output_bias;                          ///< [V], or not defined.

 private:
  Dropout dropout_;
  WordDropout word_dropout_;
};

}  // namespace gradual
