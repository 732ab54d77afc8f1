// The same piece of a sentence in two languages, word by word.
#pragma once

#include <bitset>
#include <string_view>
#include <vector>

#include <gradual/nn/text/corpus.hpp>

namespace gradual::toy {

/// A word of a sentence that is being put together. Its letters are those of the lexicon, or of a literal.
struct LinkedWord {
  std::string_view text;
  std::string_view before_vowel;  ///< what it becomes when a vowel follows: l' for le; empty: the same
  std::bitset<64> links;          ///< words of the two languages with a link in common translate each other
};

/// Words of one language, one after the other.
using LinkedWords = std::vector<LinkedWord>;

LinkedWords operator+(LinkedWords left, const LinkedWords& right);

/// What a rule of the grammar makes: the same in English and in French.
struct BilingualPhrase {
  LinkedWords english, french;
};

/// Pieces that follow each other in both languages.
BilingualPhrase operator+(BilingualPhrase left, const BilingualPhrase& right);

/// The words of an entry such as "près de|d'", where `|` divides a word from its form before a vowel. The
/// entry must outlive them.
LinkedWords words_of(std::string_view entry, std::size_t link);

/// What happens to French where words meet: before a vowel a word takes its other form (le arbre becomes
/// l'arbre, beau arbre bel arbre), then à and de melt into a following le or les (au, aux, du, des).
LinkedWords meet_in_french(LinkedWords words);
/// The same in English: a apple becomes an apple.
LinkedWords meet_in_english(LinkedWords words);

/// Which source word, counted from 0, translates which target word.
Alignment alignment_of(const LinkedWords& source, const LinkedWords& target);

}  // namespace gradual::toy
