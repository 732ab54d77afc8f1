#include <gradual/nn/transformer/classifier.hpp>

#include <cmath>
#include <string>

#include <gradual/core/error.hpp>
#include <gradual/nn/attention/scores/additive.hpp>

namespace gradual {
namespace {

const StackConfig& checked(const StackConfig& config, Index classes) {
  config.check();
  if (classes < 2)
    throw std::invalid_argument(text("classifier: there must be at least two classes: got ", classes));
  return config;
}

}  // namespace

Classifier::Classifier(const StackConfig& config, Index classes, Pooling pooling, Random random)
    : config_(checked(config, classes)),
      pooling_(pooling),
      embedding(config.vocabulary, config.width, random),
      positions(make_position_vectors(config.positions, config.max_length, config.width, random)),
      norm(make_norm(config.norm_kind, config.width, random)),
      pool(AdditiveScore(config.width, config.width, config.width, random), config.width, random, "pooling"),
      output(config.width, classes, random),
      dropout_(config.dropout, random) {
  for (Index i = 0; i < config.layers; ++i)
    layers.push_back(make_encoder_layer(config.layer, config, random, "layers." + std::to_string(i)));
}

void Classifier::visit(Visitor& visitor) {
  visitor("embedding", embedding);
  visitor("positions", positions);
  visitor("layers", layers);
  if (config_.norm == NormPlace::before) visitor("norm", norm);
  if (pooling_ == Pooling::attention) visitor("pool", pool);
  visitor("output", output);
  visitor("dropout", dropout_);
}

Var Classifier::logits(const Indices& ids, const Indices& lengths) const {
  AttentionMask mask;
  mask.valid_lengths = lengths;
  const Var words = embedding(ids) * std::sqrt(static_cast<Real>(config_.width));
  Var x = dropout_(words + positions(0, ids.dim(1)));
  for (const Part<EncoderBlock>& layer : layers) x = layer(x, mask);
  if (config_.norm == NormPlace::before) x = norm(x);
  const Var pooled = pooling_ == Pooling::attention ? pool(x, lengths) : mean_of_items(x, lengths);
  return output(dropout_(pooled));
}

}  // namespace gradual
