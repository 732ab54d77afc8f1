// Text as Unicode: checking, decoding and the few facts about characters that tokenisers and pictures need,
// by the tables of utf8proc. No locale is involved.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gradual/core/real.hpp>

namespace gradual {

/// The byte, counted from 0, at which the first ill-formed UTF-8 sequence begins: a stray or missing
/// continuation byte, an overlong form, a surrogate, or a code point above U+10FFFF. Empty when all of `text`
/// is valid.
std::optional<Index> first_invalid_byte(std::string_view text);

/// The code points of `text`; throws std::invalid_argument where it is not valid UTF-8.
std::u32string decode_utf8(std::string_view text);
/// The UTF-8 bytes of `code_points`; throws std::invalid_argument for a surrogate or a number above U+10FFFF.
std::string encode_utf8(std::u32string_view code_points);
/// Each code point as a string of its own: "né" becomes "n", "é". Throws like decode_utf8.
std::vector<std::string> split_characters(std::string_view text);

/// Whether a byte of UTF-8 begins a character, instead of continuing one. This and the next two check
/// nothing.
constexpr bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }
/// How many characters `text` has.
inline std::size_t character_count(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_character));
}
/// The longest beginning of `text` that has at most so many bytes and cuts no character.
inline std::string_view whole_characters(std::string_view text, std::size_t most_bytes) {
  if (text.size() <= most_bytes) return text;
  while (most_bytes > 0 && !begins_character(text[most_bytes])) --most_bytes;
  return text.substr(0, most_bytes);
}

/// Whether `c` is white space, as Python's str.split sees it.
bool is_space(char32_t c);
/// Whether `c` is a letter, or a number of any kind, by its general category (L, N).
bool is_letter(char32_t c);
bool is_number(char32_t c);
/// Whether `c` is a control character, which has no picture.
bool is_control(char32_t c);
/// Whether `c` is a punctuation mark, or a sign of mathematics, of money or of an accent by itself; a picture
/// such as an emoji is neither, but the few of Latin-1 (© ° …) are signs. So are controls, those of direction
/// included.
bool is_mark(char32_t c);
/// Whether `c` belongs to a script that is written from right to left.
bool is_right_to_left(char32_t c);
/// How many columns of a terminal `c` takes: 0 for an accent that sits on its letter, 2 for Chinese, Japanese
/// and Korean characters and most emoji, 1 for most others.
int columns_of(char32_t c);

/// `text` with the no-break spaces U+00A0 and U+202F, which French puts before ? ! : ; and », as plain
/// spaces.
std::string plain_spaces(std::string_view text);

/// `text` in lower case, as Python's str.lower has it: every capital letter of Unicode, and a capital
/// sigma as ς at the end of a word. Throws like decode_utf8.
std::string lower_case(std::string_view text);

}  // namespace gradual
