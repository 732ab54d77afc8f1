#include "doubts.hpp"

#include <algorithm>
#include <initializer_list>
#include <sstream>
#include <string_view>

#include <gradual/core/error.hpp>
#include <gradual/nn/text/corpus.hpp>
#include <gradual/nn/text/utf8.hpp>

using namespace gradual;

namespace {

// How many bytes one of these takes at a place; 0: none stands there.
std::size_t size_at(const std::string& text, std::size_t place,
                    std::initializer_list<std::string_view> any_of) {
  for (const std::string_view each : any_of)
    if (text.compare(place, each.size(), each) == 0) return each.size();
  return 0;
}

// Whether a full stop shortens the word before it, as in "Mr. King" and "J. S. Bach".
bool is_abbreviation(const std::string& text, std::size_t stop) {
  static const std::set<std::string> titles = {"Mr", "Mrs", "Ms", "Dr", "Prof", "St", "Mme", "Mlle", "Hr"};
  constexpr std::size_t longest = 4;  // of the titles
  std::size_t begin = stop;
  while (begin > 0 && text[begin - 1] != ' ' && stop - begin <= longest) --begin;
  const std::string word = text.substr(begin, stop - begin);
  return titles.count(word) > 0 || (word.size() == 1 && word >= "A" && word <= "Z" && word != "I");
}

// Behind which bytes sentences end, by marks of many scripts; several marks in a row end one, and so do
// quotation marks and brackets behind it.
std::vector<std::size_t> ends_of_sentences(const std::string& text) {
  std::vector<std::size_t> ends;
  for (std::size_t at = 0, after = 0; at < text.size(); at = after) {
    const std::size_t mark = size_at(text, at, {".", "?", "!", "…", "。", "！", "？", "।", "؟", "۔"});
    after = at + std::max<std::size_t>(mark, 1);
    while (const std::size_t closing =
               mark == 0 ? 0 : size_at(text, after, {"\"", "'", ")", "]", "”", "’", "»", "」", "』", "）"}))
      after += closing;
    if (mark == 0) continue;
    const bool begins_next = text[after] == ' ' || (text[after] & 0x80) != 0,
               goes_on = text[at] == '.' && is_abbreviation(text, at);
    if (after == text.size() || (begins_next && !goes_on)) ends.push_back(after);
  }
  return ends;
}

bool all_end_with_marks(const std::vector<HeldOutSet>& sets) {
  return std::all_of(sets.begin(), sets.end(), [](const HeldOutSet& set) {
    return std::all_of(set.pairs.begin(), set.pairs.end(),
                       [](const SentencePair& pair) { return !ends_of_sentences(pair.source).empty(); });
  });
}

// The first word that stands twice in a row, or the first two that stand side by side twice, in small letters
// and without the marks at their ends; none: "".
std::string said_twice(const std::string& sentence) {
  std::istringstream stream(lower_case(sentence));
  std::set<std::string> seen;
  std::string before, word;
  for (; stream >> word; before = word) {
    word.erase(word.find_last_not_of(".,;:!?") + 1);
    if (before.empty()) continue;
    if (word == before) return word;
    if (!seen.insert(before + " " + word).second) return before + " " + word;
  }
  return "";
}

}  // namespace

LearntFrom::LearntFrom(const std::vector<HeldOutSet>& held_out) {
  for (const HeldOutSet& set : held_out)
    for (const SentencePair& pair : set.pairs) {
      longest = std::max(longest, count_words(pair.source));
      says_twice.insert(said_twice(pair.target));
    }
  all_have_marks = longest > 0 && all_end_with_marks(held_out);
}

std::vector<std::string> sentences_in(const std::string& text) {
  std::vector<std::string> sentences;
  const auto add = [&](std::size_t begin, std::size_t end) {
    std::string sentence = clean_sentence(text.substr(begin, end - begin));
    if (!sentence.empty()) sentences.push_back(std::move(sentence));
    return end;
  };
  std::size_t begin = 0;
  for (const std::size_t end : ends_of_sentences(text)) begin = add(begin, end);
  add(begin, text.size());
  return sentences;
}

DoubtNote doubt_about(const std::string& source, const std::string& translation, const LearntFrom& learnt,
                      bool finished) {
  const std::size_t read = ends_of_sentences(source).size(), written = ends_of_sentences(translation).size();
  // Scripts from 0xE0 on have marks of their own, not all of which are known here, or none.
  const bool is_known = written > 0 || std::none_of(translation.begin(), translation.end(), [](char byte) {
                          return static_cast<unsigned char>(byte) >= 0xE0;
                        });
  if (read >= 2 && written < read && is_known)
    return {Doubt::fewer_sentences,
            text("it translated ", written, " of ", read, " sentences: give it one at a time")};
  const Index words = count_words(source);
  if (learnt.longest > 0 && words > learnt.longest)
    return {Doubt::longer,
            text("it learnt from sentences of at most about ", learnt.longest, " words, and this one has ",
                 words, ": it was never shown how to go on so long")};
  std::string again = said_twice(translation);
  if (learnt.says_twice.count(again) > 0 || !said_twice(source).empty()) again = "";
  if (read == 0 && learnt.all_have_marks)
    return {Doubt::no_mark, "the sentence ends without a full stop or other mark, unlike all it learnt from" +
                                (again.empty() ? "" : "; it says \"" + again + "\" twice")};
  if (!finished) return {Doubt::cut, "its translation came to no end, and was cut"};
  if (!again.empty())
    return {Doubt::repeats,
            "it says \"" + again + "\" twice: it may never have learnt from sentences of this kind"};
  return {};
}
