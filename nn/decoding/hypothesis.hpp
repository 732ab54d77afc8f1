// What every search has in common: what it is told, and what it finds.
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <vector>

#include <gradual/core/real.hpp>

namespace gradual {

/// A translation that a search found.
struct Hypothesis {
  std::vector<std::int32_t> tokens;  // without the begin and end tokens
  double log_probability = 0;        // Σ log p of the tokens and, where it is finished, of the end token
  double score = 0;                  // what the search ranks by
  bool finished = false;             // whether it came to the end token
};

/// Where sentences begin and end.
struct DecodingOptions {
  Index max_length = 100;           ///< the most words to write, the end token among them
  std::int32_t begin = 1, end = 2;  ///< an `end` that no word has, such as -1, writes max_length words
  std::vector<std::int32_t> suppressed = {0, 1};  ///< words that are never written: padding and begin
  std::vector<Index> max_lengths = {};  ///< of each sentence, where it is below max_length; empty: of none
  /// Called before each word, by several threads at once where a search works on several batches; what it
  /// throws ends the search.
  std::function<void()> before_word = {};

  /// The most words to write for a sentence of the batch.
  Index longest(Index sentence) const;
  /// Throws std::invalid_argument, in the name of `operation`, for a length that is not positive, lengths of
  /// another number of sentences, or a negative begin token.
  void check(const char* operation, Index sentences) const;
};

/// What a search throws when a model, or a shortlist, leaves it no word to write: for which sentence of the
/// batch, at which step.
struct NoWordLeft : std::invalid_argument {
  NoWordLeft(const char* operation, Index sentence, Index step);
  /// With words in place of the sentence's number, such as itself in quotation marks.
  NoWordLeft(const NoWordLeft& error, const std::string& words);

  const char* operation;
  Index sentence, step;
};

}  // namespace gradual
