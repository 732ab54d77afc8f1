#include <gradual/nn/transformer/language_model.hpp>

#include <cmath>
#include <string>

namespace gradual {

LanguageModel::LanguageModel(const StackConfig& config, Random random)
    : config_((config.check(), config)),
      embedding(config.vocabulary, config.width, random),
      positions(make_position_vectors(config.positions, config.max_length, config.width, random)),
      norm(make_norm(config.norm_kind, config.width, random)),
      dropout_(config.dropout, random) {
  for (Index i = 0; i < config.layers; ++i)
    layers.push_back(make_encoder_layer(config.layer, config, random, "layers." + std::to_string(i)));
}

void LanguageModel::visit(Visitor& visitor) {
  visitor("embedding", embedding);
  visitor("positions", positions);
  visitor("layers", layers);
  if (config_.norm == NormPlace::before) visitor("norm", norm);
  visitor("dropout", dropout_);
}

Var LanguageModel::embed(const Indices& ids, Index first) const {
  const Var tokens = embedding(ids) * std::sqrt(static_cast<Real>(config_.width));
  return dropout_(tokens + positions(first, ids.dim(1)));
}

Var LanguageModel::hidden(const Indices& ids) const {
  AttentionMask causal;
  causal.causal = true;
  Var x = embed(ids, 0);
  for (const Part<EncoderBlock>& layer : layers) x = layer(x, causal);
  return config_.norm == NormPlace::before ? norm(x) : x;
}

Var LanguageModel::loss(const Indices& input, const Indices& output,
                        const CrossEntropyOptions& options) const {
  return linear_cross_entropy(hidden(input), embedding.weight, output, options);
}

Tensor LanguageModel::next(const Indices& ids, State& state) const {
  const NoGrad no_grad;
  const Index batch = ids.size();
  state.layers.resize(layers.size());
  Var x = embed(Indices({batch, 1}, {ids.begin(), ids.end()}), state.length);
  for (std::size_t i = 0; i < layers.size(); ++i) x = layers[i]->next(x, state.layers[i]);
  ++state.length;
  if (config_.norm == NormPlace::before) x = norm(x);
  return linear(x, embedding.weight).value().reshaped({batch, -1});
}

}  // namespace gradual
