// The grammar of the toy language.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <gradual/core/random.hpp>
#include <gradual/nn/text/corpus.hpp>

namespace gradual::toy {

/// A sentence of the toy language, with what it speaks of: names and English singulars, as the lexicon has
/// them.
struct Sentence {
  SentencePair pair;
  Alignment alignment;
  std::vector<std::string> nouns, adjectives;
  /// Adjectives, each with the noun that it describes in one way or the other: the red car, the car is red.
  std::vector<std::pair<std::string, std::string>> descriptions;
};

/// Draws a sentence of at most twelve words in either language, punctuation marks included.
Sentence draw_sentence(Random random);

}  // namespace gradual::toy
