#include <gradual/nn/text/tokenizer.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/nn/text/utf8.hpp>

namespace gradual {
namespace {

// Sentences as a tokenizer spells them.
class NormalizedSentences final : public Stream<std::string> {
 public:
  NormalizedSentences(Stream<std::string>& sentences, Tokenizer tokenizer)
      : sentences_(sentences), tokenizer_(std::move(tokenizer)) {}
  bool next(std::string& sentence) override {
    if (!sentences_.next(sentence)) return false;
    sentence = tokenizer_.normalized(sentence);
    return true;
  }
  void rewind() override { sentences_.rewind(); }

 private:
  Stream<std::string>& sentences_;
  Tokenizer tokenizer_;
};

// The sentence, which SentencePiece would take for another where it is not UTF-8.
const std::string& valid(const std::string& sentence) {
  if (first_invalid_byte(sentence)) decode_utf8(sentence);  // throws
  return sentence;
}

}  // namespace

Tokenizer::Tokenizer(TokenizerSettings settings) : settings_(std::move(settings)) {
  if (settings_.units == TextUnits::subwords) subwords_.emplace(settings_.subword_model);
}

Tokenizer Tokenizer::with_spacing(Spacing spacing) const {
  Tokenizer changed = *this;
  changed.settings_.spacing = spacing;
  return changed;
}

Tokenizer Tokenizer::restricted_to(const Vocabulary& vocabulary) const {
  Tokenizer changed = *this;
  if (subwords_) changed.subwords_.emplace(settings_.subword_model, vocabulary.tokens());
  return changed;
}

const Subwords& Tokenizer::subwords() const {
  if (!subwords_) throw std::logic_error("tokenizer: only one of subwords has a model of them");
  return *subwords_;
}

std::string Tokenizer::normalized(const std::string& sentence) const {
  const std::string plain = plain_spaces(sentence);
  return settings_.lower_case ? lower_case(plain) : plain;
}

std::vector<std::string> Tokenizer::split(const std::string& sentence) const {
  const std::string plain = normalized(sentence);
  switch (settings_.units) {
    case TextUnits::characters:
      return split_characters(plain);
    case TextUnits::subwords:
      return subwords_->split(valid(plain));
    case TextUnits::words:
      break;
  }
  return split_words(plain);
}

std::string Tokenizer::join(const std::vector<std::string>& tokens) const {
  switch (settings_.units) {
    case TextUnits::subwords:
      return subwords_->join(tokens);
    case TextUnits::words:
      return join_words(tokens, settings_.spacing);
    case TextUnits::characters:
      break;
  }
  std::string sentence;
  for (const std::string& character : tokens) sentence += character;
  return sentence;
}

std::vector<std::string> Language::unknown_tokens(const std::string& sentence) const {
  const std::vector<std::string> tokens = tokenizer.split(sentence);
  const std::vector<std::int32_t> ids = vocabulary.encode(tokens);
  std::vector<std::string> unknown;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (ids[i] == Vocabulary::unknown &&
        std::find(unknown.begin(), unknown.end(), tokens[i]) == unknown.end())
      unknown.push_back(tokens[i]);
  }
  return unknown;
}

SentenceSampler::SentenceSampler(const Language& language, double strength)
    : language_(&language),
      sampler_(language.tokenizer.subwords().kind(), language.tokenizer.subwords().pieces(), strength) {}

std::vector<std::int32_t> SentenceSampler::encode(const std::string& sentence, Random& random) const {
  const Tokenizer& tokenizer = language_->tokenizer;
  std::vector<std::string> tokens;
  for (const std::string& word : tokenizer.subwords().words(valid(tokenizer.normalized(sentence))))
    for (std::string& piece : sampler_(word, random)) tokens.push_back(std::move(piece));
  return language_->vocabulary.encode(tokens);
}

Language learn_language(Stream<std::string>& sentences, const LanguageOptions& options) {
  TokenizerSettings settings;
  settings.lower_case = options.lower_case;
  if (options.units == TextUnits::subwords) {
    NormalizedSentences normalized(sentences, Tokenizer(settings));
    settings.subword_model = train_subwords(normalized, options.subwords);
  }
  settings.units = options.units;
  const Tokenizer tokenizer(settings);
  SpacingCensus census;
  TokenCounts counts;
  sentences.rewind();
  for (std::string sentence; sentences.next(sentence);) {
    census.add(sentence);
    for (const std::string& token : tokenizer.split(sentence)) ++counts[token];
  }
  if (options.sampled)
    for (const SubwordPiece& piece : tokenizer.subwords().pieces())
      counts[piece.text] = std::max(counts[piece.text] + 1, options.min_count);
  Index most = 0;
  for (const auto& [token, count] : counts) most = std::max(most, count);
  if (most > 0 && most < options.min_count)
    throw std::invalid_argument(text("learn_language: some token must be seen min_count times: none is seen ",
                                     options.min_count, " times, one ", most, " times"));
  return {tokenizer.with_spacing(census.spacing()),
          Vocabulary::from_counts(counts, options.min_count, options.max_size)};
}

Language learn_language(const std::vector<std::string>& sentences, const LanguageOptions& options) {
  ListStream<std::string> stream(sentences);
  return learn_language(stream, options);
}

}  // namespace gradual
