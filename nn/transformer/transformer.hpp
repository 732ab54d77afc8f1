// The encoder–decoder transformer.
#pragma once

#include <vector>

#include <gradual/nn/transformer/layers.hpp>

namespace gradual {

/// Sentences as token ids, ready for the encoder: shorter ones are filled up with padding that attention does
/// not see.
struct SourceBatch {
  Indices ids;      // [B, S]
  Indices lengths;  // [B]
};

/// A source with what the decoder is to write: `input` starts with the begin token, `output` is the same one
/// place further on and ends with the end token.
struct TranslationBatch {
  SourceBatch source;
  Indices input, output;  // [B, T]
};

/// A transformer that reads one sentence and writes another (Vaswani et al. 2017).
class Transformer {
 public:
  /// Throws std::invalid_argument for a bad configuration.
  Transformer(const TransformerConfig& config, Random random);
  void visit(Visitor& visitor);
  const TransformerConfig& config() const { return config_; }

  /// The encoder's output [B, S, D].
  Var encode(const SourceBatch& source) const;
  /// The decoder's output [B, T, D] for the words ids [B, T], each of which sees only itself and those before
  /// it.
  Var decode(const Indices& ids, const Var& memory, const AttentionMask& memory_mask) const;
  /// Scores of all words of the target vocabulary, [..., V], from the decoder's output.
  Var logits(const Var& decoded) const { return linear(decoded, output_weight()); }
  /// The mean cross-entropy of a batch over its words; `options.ignored` should be the padding.
  Var loss(const TranslationBatch& batch, const CrossEntropyOptions& options) const;

  /// Decoding word by word: what is known of the source and of the words so far.
  struct State {
    std::vector<DecoderLayerState> layers;
    AttentionMask memory_mask;
    Index length = 0;

    /// Keeps the sentences `rows`, in that order; a row may be named more than once.
    void select(const std::vector<Index>& rows);
  };
  State start(const SourceBatch& source) const;
  /// Logits [B, V] of the word after `ids` [B]. No gradients.
  Tensor next(const Indices& ids, State& state) const;

 private:
  Var embed(const Indices& ids, const Embedding& table, Index first) const;
  const Var& output_weight() const { return config_.tied_output ? target_embedding.weight : output.weight; }
  static AttentionMask padding_mask(const SourceBatch& source);

  TransformerConfig config_;

 public:
  Embedding source_embedding, target_embedding;
  Positions positions;
  std::vector<EncoderLayer> encoder;
  std::vector<DecoderLayer> decoder;
  LayerNorm encoder_norm, decoder_norm;  // used only where the norms stand before the parts
  Linear output;                         // unused, and without a weight, when tied

 private:
  Dropout dropout_;
};

}  // namespace gradual
