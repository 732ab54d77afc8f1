// A translator in training, and all that somebody may get wrong about it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gradual/nn/doctor/doctor.hpp>
#include <gradual/nn/training/optimizer.hpp>
#include <gradual/nn/training/schedule.hpp>
#include <gradual/nn/transformer/transformer.hpp>
#include <gradual/nn/translation/translator.hpp>

namespace gallery {

/// What a training is made of. A sound one as it is; a bug changes a thing in it.
struct Setup {
  gradual::TransformerConfig config;
  gradual::Schedule schedule;
  /// The attention of all layers.
  std::function<gradual::Part<gradual::AttentionLayer>(const gradual::AttentionLayerSettings&,
                                                       gradual::Random)>
      attention;
  /// The feed-forward network of all layers.
  std::function<gradual::Part<gradual::Layer>(const gradual::FeedForwardSizes&, gradual::Random)>
      feed_forward;
  std::function<std::unique_ptr<gradual::Transformer>(const gradual::TransformerConfig&, gradual::Random)>
      model;
  /// What becomes of a batch before the model sees it.
  std::function<gradual::TranslationBatch(gradual::TranslationBatch)> batch;
  /// One step with a loss at a rate.
  std::function<void(const std::vector<gradual::NamedParameter>&, gradual::Optimizer&,
                     const std::function<gradual::Var()>& loss, double rate)>
      step;

  Setup();
};

/// A training by such a setup, on sentences of the toy corpus.
class Training {
 public:
  explicit Training(const Setup& setup, std::uint64_t seed = 1, gradual::Index pairs = 600);

  /// Makes steps up to this one, and gives the loss of each.
  std::vector<double> train(gradual::Index steps);
  /// The model, its data and its training, for examine().
  gradual::Patient patient();

  const gradual::Translator& translator() const { return *translator_; }
  const std::vector<gradual::SentencePair>& held_out() const { return held_out_; }
  /// The loss of a word of the held-out sentences, in evaluation mode.
  double held_out_loss() const;
  gradual::Transformer& model() const;

 private:
  gradual::TranslationBatch batch(gradual::Index n) const;

  Setup setup_;
  std::vector<gradual::SentencePair> held_out_;
  std::unique_ptr<gradual::Translator> translator_;
  std::vector<gradual::EncodedPair> pairs_;
  std::vector<gradual::NamedParameter> parameters_;
  std::unique_ptr<gradual::Adam> adam_;
  gradual::Index steps_ = 0;
};

}  // namespace gallery
