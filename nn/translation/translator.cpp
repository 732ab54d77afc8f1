#include <gradual/nn/translation/translator.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/nn/decoding/greedy.hpp>
#include <gradual/nn/text/utf8.hpp>

namespace gradual {
namespace {

TransformerConfig with_sizes(TransformerConfig config, const Vocabulary& source, const Vocabulary& target) {
  config.source_vocabulary = source.size();
  config.target_vocabulary = target.size();
  return config;
}

}  // namespace

std::vector<std::string> tokenize(const std::string& sentence, const TextSettings& settings) {
  const std::string plain = plain_spaces(sentence);
  return split_words(settings.lower_case ? lower_case(plain) : plain);
}

Translator::Translator(TransformerConfig config, Vocabulary source, Vocabulary target, TextSettings text,
                       Random random)
    : source_(std::move(source)),
      target_(std::move(target)),
      text_(text),
      model_(std::make_unique<Transformer>(with_sizes(config, source_, target_), random)) {}

EncodedPair Translator::encode(const SentencePair& pair) const {
  return {source_.encode(tokenize(pair.source, text_)), target_.encode(tokenize(pair.target, text_))};
}

std::vector<std::vector<std::string>> Translator::translate_to_tokens(
    const std::vector<std::string>& sentences, Index max_length) const {
  constexpr std::size_t sentences_in_batch = 64;
  set_training(*model_, false);
  std::vector<std::vector<std::int32_t>> sources;
  for (const std::string& sentence : sentences) sources.push_back(source_.encode(source_tokens(sentence)));
  // Sentences of like length go through the model together.
  std::vector<std::size_t> order(sentences.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return sources[a].size() < sources[b].size(); });

  std::vector<std::vector<std::string>> translations(sentences.size());
  for (std::size_t first = 0; first < order.size(); first += sentences_in_batch) {
    const std::size_t last = std::min(order.size(), first + sentences_in_batch);
    const auto longest = [&](std::size_t i) {
      return std::min(max_length, 2 * static_cast<Index>(sources[order[i]].size()) + 10);
    };
    std::vector<std::vector<std::int32_t>> batch;
    for (std::size_t i = first; i < last; ++i) batch.push_back(sources[order[i]]);
    DecodingOptions options;
    options.max_length = longest(last - 1);
    std::vector<Hypothesis> found = greedy(*model_, make_source_batch(batch), options);
    for (std::size_t i = first; i < last; ++i) {
      // A translation must not depend on the sentences that went through the model with it.
      std::vector<std::int32_t>& tokens = found[i - first].tokens;
      if (static_cast<Index>(tokens.size()) > longest(i)) tokens.resize(static_cast<std::size_t>(longest(i)));
      translations[order[i]] = target_.decode(tokens);
    }
  }
  return translations;
}

std::vector<std::string> Translator::translate(const std::vector<std::string>& sentences,
                                               Index max_length) const {
  std::vector<std::string> translations;
  for (const auto& tokens : translate_to_tokens(sentences, max_length)) translations.push_back(join(tokens));
  return translations;
}

}  // namespace gradual
