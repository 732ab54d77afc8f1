// The half of the toy grammar that is about nouns; grammar.cpp explains how to read it.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <gradual/core/random.hpp>
#include <gradual/nn/data/toy/grammar.hpp>
#include <gradual/nn/data/toy/lexicon.hpp>
#include <gradual/nn/data/toy/phrase.hpp>

namespace gradual::toy {

/// Draws noun phrases and notes what they speak of.
class NounGrammar {
 public:
  explicit NounGrammar(Random random) : random_(random) {}

 protected:
  using K = NounKind;
  using Phrase = BilingualPhrase;

  /// Which determiners a noun can have; each value adds some to those before it.
  enum class Articles {
    plain,           ///< the, this, my
    definite,        ///< the king's
    any,             ///< a, three, and none for plurals
    any_in_negation  ///< the same for the object of a negated verb, where un and des become de
  };

  /// A noun with all that belongs to it.
  struct NounPhrase {
    Phrase phrase;
    const Noun* noun;
    bool plural;
  };

  NounPhrase noun_phrase(unsigned kinds, Articles articles, bool may_be_plural = true);
  Phrase indefinite(const Noun& noun, bool plural, Articles articles);
  Phrase noun_group(const Phrase& determiner, const Noun& noun, bool plural,
                    bool adjective_may_precede = true);
  /// A noun of these kinds, or a name, that the sentence does not have yet.
  const Noun& any_noun(unsigned kinds);
  const FirstName& any_name();
  Phrase head(const Noun& noun, bool plural);
  /// An adjective in the form that goes with a noun (null: a pronoun without one), which it describes.
  Phrase describe(const Adjective& adjective, const Noun* noun, Gender gender, bool plural);

  /// Words that translate each other, of the lexicon or literals.
  Phrase leaf(std::string_view english, std::string_view french);

  bool chance(Index percent) { return random_.below(100) < percent; }
  template <class T>
  const T& any(const std::vector<T>& list) {
    return list[static_cast<std::size_t>(random_.below(static_cast<Index>(list.size())))];
  }
  bool mentions(const std::string& noun) const {
    return std::find(made_.nouns.begin(), made_.nouns.end(), noun) != made_.nouns.end();
  }
  template <class T, class Fits>
  const T& any_that(const std::vector<T>& list, Fits fits) {
    Index draw = random_.below(std::count_if(list.begin(), list.end(), fits));
    return *std::find_if(list.begin(), list.end(), [&](const T& item) { return fits(item) && draw-- == 0; });
  }

  Random random_;
  const Lexicon& lexicon_ = lexicon();
  Sentence made_;
  std::vector<Quality> qualities_;  // of the adjectives in made_
  std::size_t next_link_ = 0;

 private:
  Phrase owned(const Noun& noun, bool plural);
  Phrase owner_of(const Noun& noun);
  const Adjective& any_adjective(const Noun& noun, Position position);
  Phrase determiner(const Determiner& determiner, const Noun& noun, bool plural);
  Phrase numeral();
};

}  // namespace gradual::toy
