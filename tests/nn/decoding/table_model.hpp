// Models for the tests of searches: one whose probabilities stand in a table, and a small random transformer.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/seq2seq/model.hpp>
#include <gradual/nn/transformer/transformer.hpp>

namespace gradual {

/// A word for each sentence, as next() takes them.
inline Indices one_each(const std::vector<std::int32_t>& words) {
  return {Shape{static_cast<Index>(words.size())}, words};
}

/// Of what is worked out from a table, in floats.
constexpr double table_tolerance = 1e-5;

/// A model whose probability of each next word depends on the source's first word and the words so far, as a
/// function says.
class TableModel : public TranslationModel {
 public:
  /// The words so far start with the begin token.
  using Probabilities =
      std::function<std::vector<double>(std::int32_t source, const std::vector<std::int32_t>& prefix)>;

  /// How much attention the word after a prefix pays to each word of the source.
  using Attention = std::function<std::vector<Real>(const std::vector<std::int32_t>& prefix)>;

  explicit TableModel(Probabilities probabilities, Attention attention = nullptr)
      : probabilities_(std::move(probabilities)), attention_(std::move(attention)) {}
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
    {
      const std::lock_guard<std::mutex> lock(seeing_);  // several sentences are translated at once
      rows_seen.push_back(ids.size());
    }
    std::vector<Real> logits, attention;
    for (Index row = 0; row < ids.size(); ++row) {
      auto& prefix = prefixes.prefixes.at(static_cast<std::size_t>(row));
      prefix.push_back(ids[row]);
      // Any constant may be added to logits.
      for (double p : probabilities_(prefixes.sources[static_cast<std::size_t>(row)], prefix))
        logits.push_back(static_cast<Real>(std::log(p) + 3));
      if (!attention_) continue;
      const std::vector<Real> paid = attention_(prefix);
      attention.insert(attention.end(), paid.begin(), paid.end());
    }
    if (attention_ && AttentionRecorder::current())
      AttentionRecorder::current()->add(
          "source", Tensor({ids.size(), 1, 1, static_cast<Index>(attention.size()) / ids.size()}, attention),
          AttentionTo::source);
    return Tensor({ids.size(), static_cast<Index>(logits.size()) / ids.size()}, logits);
  }

  mutable std::vector<Index> rows_seen;  // the size of the batch in each call

 private:
  Probabilities probabilities_;
  Attention attention_;
  mutable std::mutex seeing_;
};

/// Two encoder and two decoder layers of random weights, without dropout. `sharpness` scales the weights, so
/// that the model has opinions.
inline Transformer small_transformer(Index vocabulary, std::uint64_t seed, Real sharpness = 3,
                                     NormPlace norm = NormPlace::before,
                                     const std::string& attention = "scaled_dot") {
  TransformerConfig config;
  config.source_vocabulary = config.target_vocabulary = vocabulary;
  config.width = 16;
  config.heads = 4;
  config.feed_forward = 24;
  config.encoder_layers = config.decoder_layers = 2;
  config.dropout = config.attention_dropout = 0;
  config.norm = norm;
  config.attention = attention;
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

/// Sentences of one word each, for a TableModel.
inline SourceBatch one_word_sentences(const std::vector<std::int32_t>& words) {
  const auto count = static_cast<Index>(words.size());
  return {Indices({count, 1}, words), Indices(Shape{count}, std::vector<std::int32_t>(words.size(), 1))};
}

/// Sentence b of a batch, alone and without padding.
inline SourceBatch only(const SourceBatch& batch, Index b) {
  const std::int32_t length = batch.lengths[b];
  const std::int32_t* row = batch.ids.data() + b * batch.ids.dim(1);
  return {Indices({1, length}, {row, row + length}), Indices(Shape{1}, {length})};
}

/// log softmax of the next word after a prefix (with its begin token) for a single sentence, from a pass over
/// all of the prefix and in double: what the searches' cached steps are checked against.
inline std::vector<double> next_log_probabilities(const Transformer& model, const SourceBatch& sentence,
                                                  const std::vector<std::int32_t>& prefix) {
  const NoGrad no_grad;
  const auto length = static_cast<Index>(prefix.size());
  const Tensor logits =
      model.logits(model.decode(Indices({1, length}, prefix), model.encode(sentence), {})).value();
  const Index vocabulary = logits.dim(2);
  const Real* last = logits.data() + (length - 1) * vocabulary;
  double total = 0;
  for (Index v = 0; v < vocabulary; ++v) total += std::exp(static_cast<double>(last[v]));
  std::vector<double> result;
  for (Index v = 0; v < vocabulary; ++v) result.push_back(static_cast<double>(last[v]) - std::log(total));
  return result;
}

}  // namespace gradual
