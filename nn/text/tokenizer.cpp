#include <gradual/nn/text/tokenizer.hpp>

#include <utility>

#include <gradual/nn/text/utf8.hpp>

namespace gradual {

Tokenizer::Tokenizer(TokenizerSettings settings) : settings_(std::move(settings)) {
  if (settings_.units == TextUnits::subwords) subwords_.emplace(settings_.subword_model);
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
      return subwords_->split(plain);
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

Language learn_language(const std::vector<std::string>& sentences, const LanguageOptions& options) {
  TokenizerSettings settings;
  settings.units = options.units;
  settings.lower_case = options.lower_case;
  settings.spacing = spacing_of(sentences);
  if (options.units == TextUnits::subwords) {
    TokenizerSettings plain;
    plain.lower_case = options.lower_case;
    const Tokenizer words(plain);
    std::vector<std::string> normalized;
    for (const std::string& sentence : sentences) normalized.push_back(words.normalized(sentence));
    settings.subword_model = train_subwords(normalized, options.subwords);
  }
  const Tokenizer tokenizer(settings);
  std::vector<std::vector<std::string>> tokens;
  for (const std::string& sentence : sentences) tokens.push_back(tokenizer.split(sentence));
  return {tokenizer, Vocabulary::build(tokens, options.min_count, options.max_size)};
}

}  // namespace gradual
