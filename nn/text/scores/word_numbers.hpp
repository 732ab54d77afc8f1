// The words that BLEU compares.
#pragma once

#include <string>
#include <unordered_map>

#include <gradual/nn/text/bleu.hpp>

namespace gradual {

/// Splits sentences as the options of a BLEU score say and turns each word into a number, the same word
/// always into the same, so that n-grams are quick to compare.
class WordNumbers {
 public:
  explicit WordNumbers(BleuOptions options) : options_(options) {}

  /// The numbers of the words of a sentence; throws std::invalid_argument when it is not valid UTF-8.
  std::u32string operator()(const std::string& sentence);

 private:
  std::u32string prepare(const std::string& sentence) const;

  BleuOptions options_;
  std::unordered_map<std::u32string, char32_t> numbers_;
};

}  // namespace gradual
