#include <gradual/nn/data/toy/phrase.hpp>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace gradual::toy {
namespace {

struct Contraction {
  std::string_view preposition, article, together;
};

constexpr Contraction contractions[] = {
    {"à", "le", "au"}, {"à", "les", "aux"}, {"de", "le", "du"}, {"de", "les", "des"}};

// In French an h is silent, but before an aspirated one words do not change: le hibou, not l'hibou.
constexpr std::string_view french_vowels[] = {"a", "e", "i", "o", "u", "y", "h", "é", "ê", "A"};
constexpr std::string_view aspirated[] = {"hibou", "hiboux"};
constexpr std::string_view english_vowels[] = {"a", "e", "i", "o", "u"};

template <class List>
bool begins_with_one_of(const List& starts, std::string_view word) {
  return std::any_of(std::begin(starts), std::end(starts),
                     [&](std::string_view start) { return word.compare(0, start.size(), start) == 0; });
}

bool begins_with_french_vowel(std::string_view word) {
  return begins_with_one_of(french_vowels, word) &&
         std::find(std::begin(aspirated), std::end(aspirated), word) == std::end(aspirated);
}

bool begins_with_english_vowel(std::string_view word) { return begins_with_one_of(english_vowels, word); }

// From right to left, because the next word may change first: le (beau|bel) arbre.
LinkedWords change_before_vowels(LinkedWords words, bool (*begins_with_vowel)(std::string_view)) {
  for (std::size_t i = words.size(); i-- > 1;) {
    LinkedWord& word = words[i - 1];
    if (!word.before_vowel.empty() && begins_with_vowel(words[i].text)) word.text = word.before_vowel;
  }
  return words;
}

const Contraction* contraction_of(const LinkedWord& first, const LinkedWord& second) {
  const auto found = std::find_if(
      std::begin(contractions), std::end(contractions),
      [&](const Contraction& c) { return c.preposition == first.text && c.article == second.text; });
  return found == std::end(contractions) ? nullptr : found;
}

}  // namespace

LinkedWords operator+(LinkedWords left, const LinkedWords& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

BilingualPhrase operator+(BilingualPhrase left, const BilingualPhrase& right) {
  return {std::move(left.english) + right.english, std::move(left.french) + right.french};
}

LinkedWords words_of(std::string_view entry, std::size_t link) {
  LinkedWords words;
  for (std::size_t begin = 0, end; begin < entry.size(); begin = end + 1) {
    end = std::min(entry.find(' ', begin), entry.size());
    const std::string_view part = entry.substr(begin, end - begin);
    const std::size_t bar = std::min(part.find('|'), part.size());
    words.push_back({part.substr(0, bar), part.substr(std::min(bar + 1, part.size())), {}});
    words.back().links.set(link);
  }
  return words;
}

LinkedWords meet_in_french(LinkedWords words) {
  LinkedWords met;
  for (const LinkedWord& word : change_before_vowels(std::move(words), begins_with_french_vowel)) {
    const Contraction* contraction = met.empty() ? nullptr : contraction_of(met.back(), word);
    if (contraction == nullptr) {
      met.push_back(word);
    } else {
      met.back().text = contraction->together;
      met.back().links |= word.links;
    }
  }
  return met;
}

LinkedWords meet_in_english(LinkedWords words) {
  return change_before_vowels(std::move(words), begins_with_english_vowel);
}

Alignment alignment_of(const LinkedWords& source, const LinkedWords& target) {
  Alignment alignment;
  for (std::size_t i = 0; i < source.size(); ++i) {
    for (std::size_t j = 0; j < target.size(); ++j)
      if ((source[i].links & target[j].links).any()) alignment.emplace_back(i, j);
  }
  return alignment;
}

}  // namespace gradual::toy
