// Models of each kind, small enough to be looked at number by number.
#pragma once

#include <gradual/nn/recurrent/translator.hpp>
#include <gradual/nn/transformer/classifier.hpp>
#include <gradual/nn/transformer/language_model.hpp>
#include <gradual/nn/transformer/transformer.hpp>

namespace gradual::tiny {

inline LayerConfig layer() {
  LayerConfig config;
  config.width = config.feed_forward = 8;
  config.heads = 2;
  return config;
}

inline TransformerConfig transformer() {
  TransformerConfig config;
  static_cast<LayerConfig&>(config) = layer();
  config.source_vocabulary = config.target_vocabulary = 12;
  config.encoder_layers = config.decoder_layers = 1;
  return config;
}

inline RecurrentConfig recurrent() {
  RecurrentConfig config;
  config.source_vocabulary = config.target_vocabulary = 12;
  config.embedding_width = 6;
  config.hidden_width = 8;
  return config;
}

inline StackConfig stack(Index layers) {
  StackConfig config;
  static_cast<LayerConfig&>(config) = layer();
  config.vocabulary = 12;
  config.layers = layers;
  return config;
}

/// Two sentences of different lengths, with two of three words.
inline const TranslationBatch& pairs() {
  static const TranslationBatch batch{{Indices({2, 4}, {3, 4, 5, 2, 6, 2, 0, 0}), Indices({2}, {4, 2})},
                                      Indices({2, 3}, {1, 5, 6, 1, 7, 8}),
                                      Indices({2, 3}, {5, 6, 2, 7, 8, 2})};
  return batch;
}

inline Var loss_of(const Transformer& model) { return model.loss(pairs(), {}); }
inline Var loss_of(const RecurrentTranslator& model) { return model.loss(pairs(), {}); }
inline Var loss_of(const LanguageModel& model) { return model.loss(pairs().input, pairs().output); }
inline Var loss_of(const Classifier& model) {
  return model.loss(pairs().source.ids, pairs().source.lengths, Indices({2}, {0, 2}));
}

}  // namespace gradual::tiny
