// The decoder-only transformer: a model of text that predicts each next token from those before it.
#pragma once

#include <vector>

#include <gradual/nn/positions/positions.hpp>
#include <gradual/nn/transformer/layers.hpp>

namespace gradual {

/// A stack of layers with causal self-attention over token embeddings (Radford et al. 2018); the output layer
/// shares the embedding.
class LanguageModel {
 public:
  /// Throws std::invalid_argument for a bad configuration.
  LanguageModel(const StackConfig& config, Random random);
  void visit(Visitor& visitor);
  /// What it was made of.
  const StackConfig& config() const { return config_; }

  /// Hidden states [B, T, D] of tokens [B, T].
  Var hidden(const Indices& ids) const;
  /// Scores of all tokens after each place, [B, T, V].
  Var logits(const Indices& ids) const { return linear(hidden(ids), embedding.weight); }
  /// The mean cross-entropy of `output` [B, T], which is `input` [B, T] one place further on.
  Var loss(const Indices& input, const Indices& output, const CrossEntropyOptions& options = {}) const;

  /// What is known of the tokens so far.
  struct State {
    std::vector<KeyValueCache> layers;  // keys and values of the words so far
    Index length = 0;                   // how many words these are
  };
  /// Logits [B, V] of the token after `ids` [B]. No gradients.
  Tensor next(const Indices& ids, State& state) const;

 private:
  StackConfig config_;

 public:
  Embedding embedding;                     // of the words
  Part<PositionVectors> positions;         // added to them
  std::vector<Part<EncoderBlock>> layers;  // under a causal mask they are decoder layers without a source
  Part<Layer> norm;                        // used only where the norms stand before the parts

 private:
  Var embed(const Indices& ids, Index first) const;

  Dropout dropout_;
};

}  // namespace gradual
