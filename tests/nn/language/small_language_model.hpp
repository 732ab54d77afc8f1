// Small language models for tests.
#pragma once

#include <cmath>
#include <vector>

#include <gradual/nn/layers/initialization.hpp>
#include <gradual/nn/transformer/language_model.hpp>

namespace gradual {

/// A model with random weights over `vocabulary` tokens that sees six.
inline LanguageModel small_language_model(Index vocabulary, const std::string& positions, std::uint64_t seed) {
  StackConfig config;
  config.vocabulary = vocabulary;
  config.width = 16;
  config.heads = 2;
  config.feed_forward = 24;
  config.positions = positions;
  config.max_length = 6;
  LanguageModel model(config, Random(seed));
  // Otherwise the tied output would expect the last token to come again.
  model.norm.as<LayerNorm>().gain.set_value(normal_tensor({16}, 2, Random(seed + 1)));
  set_training(model, false);
  return model;
}

/// A model that expects the same of every token, whatever came before it.
inline LanguageModel model_with_probabilities(const std::vector<double>& probabilities) {
  const auto vocabulary = static_cast<Index>(probabilities.size());
  LanguageModel model = small_language_model(vocabulary, "none", 1);
  Tensor bias = Tensor::zeros({16}), weights = Tensor::zeros({vocabulary, 16});
  bias.mutable_data()[0] = 1;
  for (Index v = 0; v < vocabulary; ++v)
    weights.mutable_data()[v * 16] = static_cast<Real>(std::log(probabilities[static_cast<std::size_t>(v)]));
  model.norm.as<LayerNorm>().gain.set_value(Tensor::zeros({16}));
  model.norm.as<LayerNorm>().bias.set_value(bias);
  model.embedding.weight.set_value(weights);
  return model;
}

}  // namespace gradual
