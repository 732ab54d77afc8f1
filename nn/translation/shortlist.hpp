// The target words that may be written, by the words of the source.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <gradual/nn/seq2seq/encoded_pairs.hpp>

namespace gradual {

/// How many words may be written for a source, and how they are found.
struct ShortlistOptions {
  Index most_frequent = 100;  ///< target words that may always be written
  Index likeliest = 20;       ///< translations of each source word
  int rounds = 5;             ///< of expectation–maximisation

  /// Throws std::invalid_argument for a negative number, or rounds that are not positive.
  void check() const;
};

/// A few target words for each source word, so that the logits of the others need not be computed (Jean et
/// al. 2015, §3.3; L'Hostis, Grangier and Auli 2016): the most frequent ones of the text, the end token and
/// the unknown word, and the likeliest translations by IbmModel1.
class Shortlist {
 public:
  /// Learns one from pairs of token ids, for the vocabularies that a number stands for
  /// (Translator::vocabularies()), or for any. Throws std::invalid_argument for bad options.
  Shortlist(const std::vector<EncodedPair>& pairs, const ShortlistOptions& options,
            std::uint64_t vocabularies = any);
  static constexpr std::uint64_t any = 0;
  /// Reads what save() wrote. Throws FileError, with the line where one is wrong.
  static Shortlist load(const std::string& path);
  /// Writes lines() to a file. Throws FileError.
  void save(const std::string& path) const;
  /// A line that says what this is, for which vocabularies and by how many source words, one of the words
  /// that may always be written, and for each source word one of its translations: words by their numbers.
  std::string lines() const;

  /// The words that may be written for these source words, in ascending order.
  std::vector<std::int32_t> words_for(const std::vector<std::vector<std::int32_t>>& sentences) const;
  /// The highest target word.
  std::int32_t highest() const;
  std::uint64_t vocabularies() const { return vocabularies_; }

 private:
  using Words = std::vector<std::int32_t>;
  Shortlist() = default;

  std::uint64_t vocabularies_ = any;
  Words always_;
  std::vector<Words> by_source_;
};

}  // namespace gradual
