#include <gradual/nn/translation/translator.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

#include <gradual/nn/decoding/greedy.hpp>

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

std::vector<std::vector<Hypothesis>> search_batch(const TranslationModel& model, const SourceBatch& source,
                                                  const BeamOptions& options) {
  if (options.beam_size > 1) return beam_search(model, source, options);
  std::vector<std::vector<Hypothesis>> found;
  for (Hypothesis& hypothesis : greedy(model, source, options)) found.push_back({std::move(hypothesis)});
  return found;
}

}  // namespace

Translator::Translator(ModelConfig config, Language source, Language target, Random random)
    : source_(std::move(source)),
      target_(std::move(target)),
      config_(with_sizes(std::move(config), source_, target_)),
      model_(make_model(config_, random)) {}

std::vector<std::vector<Hypothesis>> Translator::search(const std::vector<std::string>& sentences,
                                                        BeamOptions options) const {
  constexpr std::size_t sentences_in_batch = 64;
  set_training(*model_, false);
  std::vector<std::vector<std::int32_t>> sources;
  for (const std::string& sentence : sentences) sources.push_back(source_.encode(sentence));
  std::vector<std::size_t> order(sentences.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return sources[a].size() < sources[b].size(); });

  const Index most = options.max_length;
  const auto longest = [&](std::size_t i) {
    return std::min(most, 2 * static_cast<Index>(sources[order[i]].size()) + 10);
  };
  std::vector<std::vector<Hypothesis>> result(sentences.size());
  for (std::size_t first = 0; first < order.size(); first += sentences_in_batch) {
    const std::size_t last = std::min(order.size(), first + sentences_in_batch);
    std::vector<std::vector<std::int32_t>> batch;
    for (std::size_t i = first; i < last; ++i) batch.push_back(sources[order[i]]);
    options.max_length = longest(last - 1);
    std::vector<std::vector<Hypothesis>> found = search_batch(*model_, make_source_batch(batch), options);
    for (std::size_t i = first; i < last; ++i) {
      const auto limit = static_cast<std::size_t>(longest(i));
      for (Hypothesis& hypothesis : found[i - first])
        if (hypothesis.tokens.size() > limit) hypothesis.tokens.resize(limit);
      result[order[i]] = std::move(found[i - first]);
    }
  }
  return result;
}

std::vector<std::string> Translator::translate(const std::vector<std::string>& sentences,
                                               const BeamOptions& options) const {
  std::vector<std::string> translations;
  for (const auto& hypotheses : search(sentences, options))
    translations.push_back(target_.tokenizer.join(target_.vocabulary.decode(hypotheses.front().tokens)));
  return translations;
}

}  // namespace gradual
