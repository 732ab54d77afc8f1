#include <gradual/nn/text/words.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

#include <gradual/nn/text/utf8.hpp>

namespace gradual {
namespace {

using Text = std::u32string;
using View = std::u32string_view;

constexpr View elided[] = {U"c", U"d",  U"j",     U"l",      U"m",      U"n",     U"s",
                           U"t", U"qu", U"jusqu", U"lorsqu", U"puisqu", U"quoiqu"};
constexpr View english_endings[] = {U"s", U"m", U"d", U"re", U"ve", U"ll"};

template <std::size_t N>
bool is_one_of(View word, const View (&list)[N]) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

bool is_among(char32_t c, View set) { return set.find(c) != View::npos; }

bool is_digit(char32_t c) { return c >= '0' && c <= '9'; }
bool is_small_letter(char32_t c) { return c >= 'a' && c <= 'z'; }

// Everything counts as a part of words that is not a space or a mark: letters of any script, their accents,
// digits, and pictures such as emoji, which a translator had best copy whole.
bool is_word_character(char32_t c) {
  if (c == '_' || is_small_letter(c)) return true;  // most of all text, without a look at a table
  return !(is_mark(c) || is_space(c));
}

/// Whether the character at `i` holds the characters on its two sides together as one word.
bool joins(const Text& text, std::size_t i) {
  if (i == 0 || i + 1 >= text.size()) return false;
  const char32_t before = text[i - 1], after = text[i + 1];
  if (is_among(text[i], U",:/")) return is_digit(before) && is_digit(after);
  return is_among(text[i], U"'-.@&") && is_word_character(before) && is_word_character(after);
}

/// Where the apostrophe at `at` cuts a word into `left` + ' + `right`; 0 when it does not.
std::size_t cut_at_apostrophe(View left, View right, std::size_t at) {
  const bool hyphen = !left.empty() && left.front() == '-';  // the -t' of va-t'en
  if (is_one_of(left.substr(hyphen), elided)) return at + 1;
  if (is_one_of(right, english_endings)) return at;
  const bool is_not = right == U"t" && left.size() > 1 && left.back() == 'n';
  return is_not ? at - 1 : 0;
}

/// Appends the pieces of one word, which holds word characters and those that join or end them.
void append_pieces(View word, std::vector<std::string>& pieces) {
  if (word.find_first_of(U"'-") == View::npos) return pieces.push_back(encode_utf8(word));
  Text letters(word);
  std::replace(letters.begin(), letters.end(), U'\u0130', U'i');  // İ is two letters in lower case
  const Text lower = decode_utf8(lower_case(encode_utf8(letters)));
  std::size_t begin = 0;
  const auto cut = [&](std::size_t at) {
    if (at <= begin) return;
    pieces.push_back(encode_utf8(word.substr(begin, at - begin)));
    begin = at;
  };
  for (std::size_t i = 1; i < word.size(); ++i) {
    if (word[i] == '-' && i + 1 < word.size()) cut(i);
    if (word[i] != '\'') continue;
    const std::size_t end = std::min(word.find_first_of(U"'-", i + 1), word.size());
    cut(cut_at_apostrophe(View(lower).substr(begin, i - begin), View(lower).substr(i + 1, end - i - 1), i));
  }
  cut(word.size());
}

bool is_run_of(View mark, View set) { return !mark.empty() && mark.find_first_not_of(set) == View::npos; }

/// The length of the punctuation mark at `at`.
std::size_t mark_length(const Text& text, std::size_t at) {
  for (const View run : {View(U"."), View(U"-"), View(U"?!")}) {
    if (is_among(text[at], run)) return std::min(text.find_first_not_of(run, at), text.size()) - at;
  }
  return 1;
}

/// Whether the mark at `at` is the last character of the word before it: a hyphen (ein- und ausgehen), or an
/// apostrophe (the boys' room) unless a quotation waits for its end.
bool belongs_to_word_before(const Text& text, std::size_t at, bool quote_open) {
  if (at == text.size()) return false;
  const bool run_of_hyphens = at + 1 < text.size() && text[at + 1] == '-';
  return (text[at] == '-' && !run_of_hyphens) || (text[at] == '\'' && !quote_open);
}

bool begins_like_ending(View word) {
  if (word == U"n't" || word == U"N'T") return true;
  return word.size() > 1 && is_among(word[0], U"'-") && is_word_character(word[1]);
}

bool is_elided(View word) {
  if (word.size() < 2 || word.back() != '\'') return false;
  const std::size_t hyphen = word.front() == '-';
  const Text stem = decode_utf8(lower_case(encode_utf8(word.substr(hyphen, word.size() - 1 - hyphen))));
  return is_one_of(stem, elided);
}

/// Decides between which words of a sentence, taken one by one, there is a space.
class Typesetter {
 public:
  explicit Typesetter(Spacing spacing) : french_(spacing == Spacing::french) {}

  bool space_before(const std::string& written) {
    // Most words have neither a mark nor an accent, and need not be decoded.
    if (std::all_of(written.begin(), written.end(), is_small_letter)) return !std::exchange(holds_next_, false);
    const Text decoded = decode_utf8(written);
    const View word = decoded;
    const bool opens = opens_quotation(word) || is_opening(word);
    const bool closes = !opens && (is_quotation_mark(word) || is_closing(word));
    return !std::exchange(holds_next_, opens || is_elided(word) || word == U"/") && !closes;
  }

 private:
  static bool is_quotation_mark(View word) {
    return word.size() == 1 && is_among(word[0], U"\"'\u201C\u201D\u201E");
  }

  // Straight marks alternate; “ opens an English quotation, but closes a German one, which „ has opened.
  bool opens_quotation(View word) {
    if (word == U"\"") return double_open_ = !double_open_;
    if (word == U"'") return single_open_ = !single_open_;
    if (word == U"\u201E") return german_open_ = true;
    return word == U"\u201C" && !std::exchange(german_open_, false);
  }
  bool is_opening(View word) const {
    return word.size() == 1 && (is_among(word[0], U"([{\u2018\u00BF\u00A1#") ||
                                (!french_ && is_among(word[0], U"$\u00A3\u20AC")));
  }
  bool is_closing(View word) const {
    if (begins_like_ending(word) || is_run_of(word, U".") || (!french_ && is_run_of(word, U"?!")))
      return true;
    return word.size() == 1 &&
           (is_among(word[0], U",\u2026)]}\u2019\u00B0/") || (!french_ && is_among(word[0], U":;%")));
  }

  bool french_;
  bool holds_next_ = true;  // no space before the first word, nor after one like ( or l'
  bool double_open_ = false, single_open_ = false, german_open_ = false;
};

}  // namespace

std::vector<std::string> split_words(std::string_view sentence) {
  Text text = decode_utf8(sentence);
  std::replace(text.begin(), text.end(), U'\u2019', U'\'');

  std::vector<std::string> words;
  bool quote_open = false;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && (is_word_character(text[end]) || (end > at && joins(text, end)))) ++end;
    if (end > at) {
      if (belongs_to_word_before(text, end, quote_open)) ++end;
      append_pieces(View(text).substr(at, end - at), words);
    } else if (is_space(text[at])) {
      ++end;
    } else {
      end += mark_length(text, at);
      if (text[at] == '\'') quote_open = !quote_open;
      words.push_back(encode_utf8(View(text).substr(at, end - at)));
    }
    at = end;
  }
  return words;
}

std::string join_words(const std::vector<std::string>& words, Spacing spacing) {
  Typesetter typesetter(spacing);
  std::string sentence;
  for (const std::string& word : words) {
    if (typesetter.space_before(word)) sentence += ' ';
    sentence += word;
  }
  return sentence;
}

void SpacingCensus::add(const std::string& sentence) {
  // Both spacings set all else alike (a byte of £ or € may stand in another letter too: that only costs time).
  if (sentence.find_first_of("?!:;%$\u00A3\u20AC") == std::string::npos) return;
  const std::vector<std::string> words = split_words(sentence);
  if (join_words(words, Spacing::plain) == sentence) ++plain_;
  if (join_words(words, Spacing::french) == sentence) ++french_;
}

}  // namespace gradual
