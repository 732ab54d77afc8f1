// Models for the tests of searches: one whose probabilities stand in a table, and a small random transformer.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <gradual/nn/transformer/transformer.hpp>
#include <gradual/nn/translation/model.hpp>

namespace gradual {

/// A model whose probability of each next word depends on the source's first word and the words so far, as a
/// function says.
class TableModel : public TranslationModel {
 public:
  /// The words so far start with the begin token.
  using Probabilities =
      std::function<std::vector<double>(std::int32_t source, const std::vector<std::int32_t>& prefix)>;

  explicit TableModel(Probabilities probabilities) : probabilities_(std::move(probabilities)) {}
  void visit(Visitor&) override {}
  Var loss(const TranslationBatch&, const CrossEntropyOptions&) const override { return {}; }

  struct Prefixes : State {
    std::vector<std::int32_t> sources;
    std::vector<std::vector<std::int32_t>> prefixes;
    void select(const std::vector<Index>& rows) override {
      Prefixes selected;
      for (Index row : rows) {
        selected.sources.push_back(sources.at(static_cast<std::size_t>(row)));
        selected.prefixes.push_back(prefixes.at(static_cast<std::size_t>(row)));
      }
      *this = selected;
    }
  };

  std::unique_ptr<State> start(const SourceBatch& source) const override {
    auto state = std::make_unique<Prefixes>();
    for (Index b = 0; b < source.ids.dim(0); ++b) state->sources.push_back(source.ids[b * source.ids.dim(1)]);
    state->prefixes.resize(state->sources.size());
    return state;
  }
  Tensor next(const Indices& ids, State& state) const override {
    auto& prefixes = dynamic_cast<Prefixes&>(state);
    rows_seen.push_back(ids.size());
    std::vector<Real> logits;
    for (Index row = 0; row < ids.size(); ++row) {
      auto& prefix = prefixes.prefixes.at(static_cast<std::size_t>(row));
      prefix.push_back(ids[row]);
      // Any constant may be added to logits.
      for (double p : probabilities_(prefixes.sources[static_cast<std::size_t>(row)], prefix))
        logits.push_back(static_cast<Real>(std::log(p) + 3));
    }
    return Tensor({ids.size(), static_cast<Index>(logits.size()) / ids.size()}, logits);
  }

  mutable std::vector<Index> rows_seen;  // the size of the batch in each call

 private:
  Probabilities probabilities_;
};

/// Two encoder and two decoder layers of random weights, without dropout. `sharpness` scales the weights, so
/// that the model has opinions.
inline Transformer small_transformer(Index vocabulary, std::uint64_t seed, Real sharpness = 3,
                                     NormPlace norm = NormPlace::before) {
  TransformerConfig config;
  config.source_vocabulary = config.target_vocabulary = vocabulary;
  config.width = 16;
  config.heads = 4;
  config.feed_forward = 24;
  config.encoder_layers = config.decoder_layers = 2;
  config.dropout = config.attention_dropout = 0;
  config.norm = norm;
  Transformer model(config, Random(seed));
  for (NamedParameter parameter : parameters(model)) {
    Real* weights = parameter.variable.mutable_data();
    for (Index i = 0; i < parameter.variable.size(); ++i) weights[i] *= sharpness;
  }
  set_training(model, false);
  return model;
}

/// Sentences of words 4 … vocabulary - 1 with the given lengths, padded with 0.
inline SourceBatch random_sentences(const std::vector<std::int32_t>& lengths, Index vocabulary,
                                    std::uint64_t seed) {
  Random random(seed);
  std::int32_t longest = 0;
  for (std::int32_t length : lengths) longest = std::max(longest, length);
  std::vector<std::int32_t> ids;
  for (std::int32_t length : lengths) {
    for (std::int32_t i = 0; i < longest; ++i)
      ids.push_back(i < length ? static_cast<std::int32_t>(4 + random.below(vocabulary - 4)) : 0);
  }
  const auto count = static_cast<Index>(lengths.size());
  return {Indices({count, longest}, ids), Indices(Shape{count}, lengths)};
}

}  // namespace gradual
