#include <gradual/nn/text/scores/word_numbers.hpp>

#include <string_view>
#include <utility>

#include <gradual/nn/text/utf8.hpp>

namespace gradual {
namespace {

std::string replace_all(std::string line, std::string_view from, std::string_view to) {
  for (std::size_t at = line.find(from); at != std::string::npos; at = line.find(from, at + to.size())) {
    line.replace(at, from.size(), to);
  }
  return line;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_period_or_comma(char c) { return c == '.' || c == ','; }

bool is_always_apart(char c) {
  const auto within = [c](char first, char last) { return c >= first && c <= last; };
  return within('{', '~') || within('[', '`') || within(' ', '&') || within('(', '+') || within(':', '@') ||
         c == '/';
}

/// Rewrites, from left to right, each two neighbours that `matches` to `rewrite` of them.
template <class Matches, class Rewrite>
std::string rewrite_pairs(const std::string& line, Matches matches, Rewrite rewrite) {
  std::string rewritten;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (i + 1 < line.size() && matches(line[i], line[i + 1])) {
      rewritten += rewrite(line[i], line[i + 1]);
      ++i;
    } else {
      rewritten += line[i];
    }
  }
  return rewritten;
}

/// The rules of mteval-v13a.pl in their order. All they look at is ASCII, so bytes are enough.
std::string tokenize_13a(std::string line) {
  line = replace_all(replace_all(replace_all(std::move(line), "<skipped>", ""), "-\n", ""), "\n", " ");
  line = replace_all(replace_all(std::move(line), "&quot;", "\""), "&amp;", "&");
  line = replace_all(replace_all(std::move(line), "&lt;", "<"), "&gt;", ">");

  std::string apart;
  for (const char c : " " + line + " ")
    apart += is_always_apart(c) ? std::string{' ', c, ' '} : std::string{c};
  const auto mark_last = [](char a, char b) { return std::string{a, ' ', b, ' '}; };
  const auto mark_first = [](char a, char b) { return std::string{' ', a, ' ', b}; };
  apart = rewrite_pairs(
      apart, [](char a, char b) { return !is_digit(a) && is_period_or_comma(b); }, mark_last);
  apart = rewrite_pairs(
      apart, [](char a, char b) { return is_period_or_comma(a) && !is_digit(b); }, mark_first);
  return rewrite_pairs(
      apart, [](char a, char b) { return is_digit(a) && b == '-'; }, mark_last);
}

}  // namespace

std::u32string WordNumbers::prepare(const std::string& sentence) const {
  std::u32string line = decode_utf8(options_.lowercase ? lower_case(sentence) : sentence);
  while (!line.empty() && is_space(line.back())) line.pop_back();
  return options_.tokens == BleuTokens::mteval_13a ? decode_utf8(tokenize_13a(encode_utf8(line))) : line;
}

std::u32string WordNumbers::operator()(const std::string& sentence) {
  std::u32string numbers, word;
  const auto end_word = [&] {
    if (!word.empty())
      numbers += numbers_.emplace(word, static_cast<char32_t>(numbers_.size())).first->second;
    word.clear();
  };
  for (const char32_t c : prepare(sentence)) {
    if (!is_space(c)) word += c;
    if (is_space(c) || options_.tokens == BleuTokens::characters) end_word();
  }
  end_word();
  return numbers;
}

}  // namespace gradual
