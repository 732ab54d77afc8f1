// How a language's sentences become tokens, and the tokens numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gradual/core/names.hpp>
#include <gradual/nn/text/subword_sampling.hpp>
#include <gradual/nn/text/subwords.hpp>
#include <gradual/nn/text/vocabulary.hpp>
#include <gradual/nn/text/words.hpp>

namespace gradual {

/// What a sentence is cut into.
enum class TextUnits { words, characters, subwords };
/// Their names.
inline const Names<TextUnits>& text_units() {
  static const Names<TextUnits> names("text: the units", {{"words", TextUnits::words},
                                                          {"characters", TextUnits::characters},
                                                          {"subwords", TextUnits::subwords}});
  return names;
}

/// What a Tokenizer needs to know.
struct TokenizerSettings {
  TextUnits units = TextUnits::words;  ///< words, subwords or characters
  bool lower_case = false;             ///< whether capitals become small letters
  Spacing spacing = Spacing::plain;    ///< with which words are joined
  std::string subword_model;           ///< from train_subwords(); empty where the units are others
};

/// Splits sentences into tokens, and joins them again. No-break spaces count as spaces.
class Tokenizer {
 public:
  /// Throws what Subwords throws.
  explicit Tokenizer(TokenizerSettings settings = {});
  /// What it was made with.
  const TokenizerSettings& settings() const { return settings_; }
  /// The same, but for how words are joined.
  Tokenizer with_spacing(Spacing spacing) const;
  /// The same, but for subwords that `vocabulary` does not hold: what they would spell is split further.
  Tokenizer restricted_to(const Vocabulary& vocabulary) const;
  /// Its subwords under that restriction. Throws std::logic_error where the units are others.
  const Subwords& subwords() const;
  /// The model of these: a program that knows nothing of the vocabulary splits the same way with it. Throws
  /// std::logic_error where the units are others.
  std::string restricted_subword_model() const { return subwords().model(); }

  /// Throws std::invalid_argument when the sentence is not valid UTF-8.
  std::vector<std::string> split(const std::string& sentence) const;
  /// The sentence that tokens make.
  std::string join(const std::vector<std::string>& tokens) const;
  /// The sentence as the tokens spell it: in lower case, with plain spaces.
  std::string normalized(const std::string& sentence) const;

 private:
  TokenizerSettings settings_;
  std::optional<Subwords> subwords_;
};

/// One side of a translation: its tokens and their numbers.
struct Language {
  /// Of subwords, only those in the vocabulary are used.
  Language(const Tokenizer& unrestricted, Vocabulary known)
      : tokenizer(unrestricted.restricted_to(known)), vocabulary(std::move(known)) {}

  Tokenizer tokenizer;    ///< cuts sentences into tokens
  Vocabulary vocabulary;  ///< gives each token its number

  /// The numbers of a sentence's tokens.
  std::vector<std::int32_t> encode(const std::string& sentence) const {
    return vocabulary.encode(tokenizer.split(sentence));
  }
  /// The tokens of the sentence that are not in the vocabulary, each once, in their order: a model reads one
  /// like another, and has to guess. Throws as Tokenizer::split does.
  std::vector<std::string> unknown_tokens(const std::string& sentence) const;
};

/// Encodes sentences of a language with subwords that are drawn anew each time.
class SentenceSampler {
 public:
  /// The language must live as long; `strength` is that of SubwordSampler. Throws what that throws, and
  /// std::logic_error for a language of other units than subwords.
  SentenceSampler(const Language& language, double strength);
  /// Throws as Tokenizer::split does.
  std::vector<std::int32_t> encode(const std::string& sentence, Random& random) const;

 private:
  const Language* language_;
  SubwordSampler sampler_;
};

/// What learn_language() needs to know.
struct LanguageOptions {
  TextUnits units = TextUnits::words;
  bool lower_case = false;
  SubwordOptions subwords;                 ///< used where the units are subwords
  Index min_count = 1;                     ///< tokens seen less often are unknown
  Index max_size = Vocabulary::unlimited;  ///< of the vocabulary
  /// Cuts will be sampled: the vocabulary counts each piece once more than it is seen, and often enough to be
  /// known, because samples hold pieces that the best cuts of these sentences do not.
  bool sampled = false;
};

/// A language as these sentences show it: subwords are trained on them, the spacing is theirs, and the
/// vocabulary holds their tokens. Two sides that share a vocabulary learn it from the sentences of both. Goes
/// through the sentences from the first, for subwords twice, and holds no more of them than their distinct
/// tokens. Throws what Vocabulary::build and train_subwords throw, and std::invalid_argument where no token
/// is seen `min_count` times.
Language learn_language(Stream<std::string>& sentences, const LanguageOptions& options);
Language learn_language(const std::vector<std::string>& sentences, const LanguageOptions& options);

}  // namespace gradual
