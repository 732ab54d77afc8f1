// How likely a model holds given translations to be, and what it would rather have said.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <gradual/nn/decoding/token_choice.hpp>
#include <gradual/nn/seq2seq/model.hpp>

namespace gradual {

/// How given translations are scored.
struct ScoringOptions {
  std::int32_t begin = 1, end = 2;  ///< an `end` of -1: translations are scored without one
  Index rivals = 0;                 ///< how many other words to name for each word
  /// Called before each word; what it throws ends the scoring.
  std::function<void()> before_word = {};
};

/// A word of a given translation.
struct ScoredWord {
  std::int32_t token;                    ///< the word
  double log_probability;                // log p(word | source, the words before)
  std::vector<TokenProbability> rivals;  // the likeliest other words in its place, the likeliest first
};

/// How likely a given translation is, word by word.
struct ScoredTranslation {
  std::vector<ScoredWord> words;  // the last is the end token
  double log_probability = 0;     // their sum
};

/// Scores a translation of each sentence, given without begin and end tokens: forced decoding, all sentences
/// at once. Throws std::invalid_argument when there is not one translation for each sentence, a word lies
/// outside the vocabulary, or rivals is negative.
std::vector<ScoredTranslation> score(const TranslationModel& model, const SourceBatch& source,
                                     const std::vector<std::vector<std::int32_t>>& translations,
                                     const ScoringOptions& options = {});

}  // namespace gradual
