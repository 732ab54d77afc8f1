#include "word_form.hpp"

#include <algorithm>

#include <gradual/core/error.hpp>
#include <gradual/nn/text/utf8.hpp>

using namespace gradual;

namespace {

bool is_digit(char32_t c) { return c >= U'0' && c <= U'9'; }

// FNV-1a (Fowler, Noll and Vo).
std::uint32_t hash(const std::u32string& characters) {
  std::uint32_t result = 2166136261u;
  for (const char32_t c : characters) result = (result ^ static_cast<std::uint32_t>(c)) * 16777619u;
  return result;
}

}  // namespace

WordShape shape_of(const std::string& word) {
  const std::u32string characters = decode_utf8(word), lower = decode_utf8(lower_case(word));
  Index capitals = 0, letters = 0, digits = 0, marks = 0;
  for (std::size_t i = 0; i < characters.size(); ++i) {
    const char32_t c = characters[i];
    const bool capital = c != lower[i], letter = capital || (c >= U'a' && c <= U'z') || c >= 0xC0;
    capitals += capital;
    letters += letter;
    digits += is_digit(c);
    marks += !letter && !is_digit(c);
  }
  if (digits > 0) {
    if (letters > 0 || marks > 0) return WordShape::with_digits;
    return digits == 4 ? WordShape::year : WordShape::number;
  }
  if (letters == 0) return WordShape::marks;
  if (capitals == letters) return capitals == 1 ? WordShape::one_capital : WordShape::capitals;
  if (capitals > 0)
    return capitals == 1 && characters[0] != lower[0] ? WordShape::capitalised : WordShape::mixed_case;
  return marks > 0 ? WordShape::with_marks : WordShape::lower_case;
}

std::array<std::int32_t, 5> affixes_of(const std::string& word, Index buckets) {
  if (buckets < 1)
    throw std::invalid_argument(text("affixes: there must be at least one bucket: got ", buckets));
  const std::u32string lower = decode_utf8(lower_case(word));
  const auto first = [&](std::size_t count) { return lower.substr(0, count); };
  const auto last = [&](std::size_t count) {
    return lower.substr(lower.size() - std::min(count, lower.size()));
  };
  const std::array<std::u32string, 5> pieces = {first(3), first(4), last(2), last(3), last(4)};
  std::array<std::int32_t, 5> result{};
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    // What begins a word must not be mistaken for what ends one, nor a whole word for a part.
    const std::u32string marked = std::u32string(1, static_cast<char32_t>(U'0' + i)) + pieces[i];
    result[i] = static_cast<std::int32_t>(hash(marked) % static_cast<std::uint64_t>(buckets));
  }
  return result;
}
