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
bool begins_with_one_of(const List& starts, const std::string& word) {
  return std::any_of(std::begin(starts), std::end(starts),
                     [&](std::string_view start) { return word.compare(0, start.size(), start) == 0; });
}

bool begins_with_french_vowel(const std::string& word) {
  return begins_with_one_of(french_vowels, word) &&
         std::find(std::begin(aspirated), std::end(aspirated), word) == std::end(aspirated);
}

bool begins_with_english_vowel(const std::string& word) { return begins_with_one_of(english_vowels, word); }

// From right to left, because the next word may change first: le (beau|bel) arbre.
LinkedWords change_before_vowels(LinkedWords words, bool (*begins_with_vowel)(const std::string&)) {
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

LinkedWords operator+(LinkedWords left, LinkedWords right) {
  std::move(right.begin(), right.end(), std::back_inserter(left));
  return left;
}

BilingualPhrase operator+(BilingualPhrase left, BilingualPhrase right) {
  return {std::move(left.english) + std::move(right.english),
          std::move(left.french) + std::move(right.french)};
}

LinkedWords words_of(const std::string& entry, int link) {
  LinkedWords words;
  for (std::size_t begin = 0, end; begin < entry.size(); begin = end + 1) {
    end = std::min(entry.find(' ', begin), entry.size());
    const std::string part = entry.substr(begin, end - begin);
    const std::size_t bar = std::min(part.find('|'), part.size());
    words.push_back({part.substr(0, bar), part.substr(std::min(bar + 1, part.size())), {link}});
  }
  return words;
}

LinkedWords meet_in_french(LinkedWords words) {
  LinkedWords met;
  for (LinkedWord& word : words = change_before_vowels(std::move(words), begins_with_french_vowel)) {
    const Contraction* contraction = met.empty() ? nullptr : contraction_of(met.back(), word);
    if (contraction == nullptr) {
      met.push_back(std::move(word));
    } else {
      met.back().text = contraction->together;
      met.back().links.insert(met.back().links.end(), word.links.begin(), word.links.end());
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
    for (std::size_t j = 0; j < target.size(); ++j) {
      const auto& other = target[j].links;
      const bool linked = std::any_of(source[i].links.begin(), source[i].links.end(), [&](int link) {
        return std::find(other.begin(), other.end(), link) != other.end();
      });
      if (linked) alignment.emplace_back(i, j);
    }
  }
  return alignment;
}

}  // namespace gradual::toy
