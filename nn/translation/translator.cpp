#include <gradual/nn/translation/translator.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

#include <gradual/core/kernels/arrays.hpp>
#include <gradual/nn/decoding/greedy.hpp>
#include <gradual/nn/translation/source_attention.hpp>

namespace gradual {
namespace {

ModelConfig with_sizes(ModelConfig config, const Language& source, const Language& target) {
  std::visit(
      [&](auto& kind) {
        kind.source_vocabulary = source.vocabulary.size();
        kind.target_vocabulary = target.vocabulary.size();
      },
      config);
  return config;
}

// A model that has learnt little repeats itself for ever: no translation is longer than that.
Index longest_translation(const std::vector<std::int32_t>& source, Index most_words) {
  return std::min(most_words, 2 * static_cast<Index>(source.size()) + 10);
}

void cut(Hypothesis& hypothesis, Index most_words) {
  if (static_cast<Index>(hypothesis.tokens.size()) > most_words)
    hypothesis.tokens.resize(static_cast<std::size_t>(most_words));
}

std::vector<std::vector<Hypothesis>> search_batch(const TranslationModel& model, const SourceBatch& source,
                                                  const BeamOptions& options) {
  if (options.beam_size > 1) return beam_search(model, source, options);
  std::vector<std::vector<Hypothesis>> found;
  for (Hypothesis& hypothesis : greedy(model, source, options)) found.push_back({std::move(hypothesis)});
  return found;
}

// Sentences of like length, in batches: calls body(batch, its rows, the most words of its translations).
template <class Body>
void for_each_batch(const std::vector<std::vector<std::int32_t>>& sources, Index most_words, Body body) {
  constexpr std::size_t sentences_in_batch = 64;
  std::vector<std::size_t> order(sources.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return sources[a].size() < sources[b].size(); });
  for (std::size_t first = 0; first < order.size(); first += sentences_in_batch) {
    const std::size_t last = std::min(order.size(), first + sentences_in_batch);
    const std::vector<std::size_t> rows(order.begin() + static_cast<std::ptrdiff_t>(first),
                                        order.begin() + static_cast<std::ptrdiff_t>(last));
    std::vector<std::vector<std::int32_t>> batch;
    for (const std::size_t row : rows) batch.push_back(sources[row]);
    body(make_source_batch(batch), rows, longest_translation(batch.back(), most_words));
  }
}

}  // namespace

Translator::Translator(ModelConfig config, Language source, Language target, Random random)
    : source_(std::move(source)),
      target_(std::move(target)),
      config_(with_sizes(std::move(config), source_, target_)),
      model_(make_model(config_, random)) {}

std::vector<std::vector<Hypothesis>> Translator::search(const std::vector<std::string>& sentences,
                                                        BeamOptions options) const {
  set_training(*model_, false);
  const std::vector<std::vector<std::int32_t>> sources = encode_sources(sentences);
  std::vector<std::vector<Hypothesis>> result(sentences.size());
  const Index most = options.max_length;
  for_each_batch(sources, most,
                 [&](const SourceBatch& batch, const std::vector<std::size_t>& rows, Index longest) {
                   options.max_length = longest;
                   std::vector<std::vector<Hypothesis>> found = search_batch(*model_, batch, options);
                   for (std::size_t i = 0; i < rows.size(); ++i) {
                     for (Hypothesis& hypothesis : found[i])
                       cut(hypothesis, longest_translation(sources[rows[i]], most));
                     result[rows[i]] = std::move(found[i]);
                   }
                 });
  return result;
}

std::vector<Hypothesis> Translator::search(const std::string& sentence, BeamOptions options,
                                           BeamTree& tree) const {
  set_training(*model_, false);
  const std::vector<std::int32_t> source = source_.encode(sentence);
  options.max_length = longest_translation(source, options.max_length);
  std::vector<BeamTree> trees;
  std::vector<Hypothesis> found = beam_search(*model_, make_source_batch({source}), options, &trees).front();
  tree = std::move(trees.front());
  return found;
}

std::vector<Hypothesis> Translator::draw(const std::vector<std::string>& sentences,
                                         const DecodingOptions& options, const SamplingOptions& sampling,
                                         Random random) const {
  set_training(*model_, false);
  std::vector<Hypothesis> result;
  for (const std::string& sentence : sentences) {
    const std::vector<std::int32_t> source = source_.encode(sentence);
    DecodingOptions own = options;
    own.max_length = longest_translation(source, options.max_length);
    result.push_back(sample(*model_, make_source_batch({source}), own, sampling, random.split()).front());
  }
  return result;
}

std::vector<ScoredTranslation> Translator::score(const std::vector<SentencePair>& pairs, Index rivals) const {
  set_training(*model_, false);
  std::vector<std::vector<std::int32_t>> sources, targets;
  for (const SentencePair& pair : pairs) {
    sources.push_back(source_.encode(pair.source));
    targets.push_back(target_.encode(pair.target));
  }
  std::vector<ScoredTranslation> result(pairs.size());
  ScoringOptions options;
  options.rivals = rivals;
  for_each_batch(sources, 0, [&](const SourceBatch& batch, const std::vector<std::size_t>& rows, Index) {
    std::vector<std::vector<std::int32_t>> translations;
    for (const std::size_t row : rows) translations.push_back(targets[row]);
    std::vector<ScoredTranslation> scored = gradual::score(*model_, batch, translations, options);
    for (std::size_t i = 0; i < rows.size(); ++i) result[rows[i]] = std::move(scored[i]);
  });
  return result;
}

std::string Translator::text_of(const std::string& sentence, const Hypothesis& hypothesis) const {
  std::vector<std::string> tokens = target_.vocabulary.decode(hypothesis.tokens);
  const auto is_unknown = [](std::int32_t id) { return id == Vocabulary::unknown; };
  if (std::any_of(hypothesis.tokens.begin(), hypothesis.tokens.end(), is_unknown)) {
    const std::vector<std::string> source = source_.tokenizer.split(sentence);
    const EncodedPair ids{source_.vocabulary.encode(source), hypothesis.tokens};
    const std::vector<Tensor> layers = attention_to_source(*model_, ids);
    const Tensor attention = layers.empty() ? Tensor() : sum(layers.back(), {0, 1});  // [1, 1, T, S]
    for (std::size_t t = 0; attention.defined() && !source.empty() && t < tokens.size(); ++t) {
      const Real* weights = attention.data() + static_cast<Index>(t) * attention.dim(3);
      const auto most = std::max_element(weights, weights + source.size()) - weights;
      if (is_unknown(hypothesis.tokens[t])) tokens[t] = source[static_cast<std::size_t>(most)];
    }
  }
  return target_.tokenizer.join(tokens);
}

std::vector<std::string> Translator::translate(const std::vector<std::string>& sentences,
                                               const BeamOptions& options) const {
  std::vector<std::string> translations;
  for (const auto& hypotheses : search(sentences, options))
    translations.push_back(text_of(sentences[translations.size()], hypotheses.front()));
  return translations;
}

std::vector<std::vector<std::int32_t>> Translator::encode_sources(
    const std::vector<std::string>& sentences) const {
  std::vector<std::vector<std::int32_t>> sources;
  for (const std::string& sentence : sentences) sources.push_back(source_.encode(sentence));
  return sources;
}

}  // namespace gradual
