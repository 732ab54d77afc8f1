#include <gradual/nn/text/utf8.hpp>

#include <algorithm>
#include <stdexcept>

#include <gradual/core/error.hpp>

namespace gradual {
namespace {

struct Decoded {
  char32_t code_point;
  std::size_t length;  // 0: no valid sequence begins here
};

// Each length has a smallest code point; a smaller one in that length is overlong (Unicode 15, table 3-7).
Decoded decode_at(std::string_view text, std::size_t at) {
  constexpr char32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  constexpr Decoded invalid{0, 0};
  const auto lead = static_cast<unsigned char>(text[at]);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC0 || lead > 0xF4 || length > text.size() - at) return invalid;
  char32_t code_point = lead & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[at + i]);
    if ((byte & 0xC0) != 0x80) return invalid;
    code_point = code_point << 6 | (byte & 0x3F);
  }
  const bool surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
  if (code_point < smallest[length] || surrogate || code_point > 0x10FFFF) return invalid;
  return {code_point, length};
}

[[noreturn]] void throw_invalid(std::size_t byte) {
  throw std::invalid_argument(
      gradual::text("decode_utf8: the text must be valid UTF-8: byte ", byte, " is not"));
}

void append_utf8(std::string& out, char32_t c) {
  const auto continuation = [&](int shift) { out += static_cast<char>(0x80 | (c >> shift & 0x3F)); };
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | c >> 6);
    continuation(0);
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | c >> 12);
    continuation(6);
    continuation(0);
  } else {
    out += static_cast<char>(0xF0 | c >> 18);
    continuation(12);
    continuation(6);
    continuation(0);
  }
}

// Capital letters `step` apart, and what to add for the small ones.
struct CapitalLetters {
  char32_t first, last;
  std::int32_t step, add;
};
constexpr CapitalLetters capital_letters[] = {
#include "lower_case_table.inc"
};

char32_t lower(char32_t c) {
  const auto* row =
      std::lower_bound(std::begin(capital_letters), std::end(capital_letters), c,
                       [](const CapitalLetters& each, char32_t letter) { return each.last < letter; });
  const bool capital = row != std::end(capital_letters) && c >= row->first &&
                       (c - row->first) % static_cast<char32_t>(row->step) == 0;
  return capital ? c + static_cast<char32_t>(row->add) : c;
}

constexpr char32_t capital_sigma = 0x3A3, sigma = 0x3C3, final_sigma = 0x3C2;

// What stands inside a word without being a letter of it: accents, apostrophes and points.
bool is_passed_over(char32_t c) {
  return (c >= 0x300 && c <= 0x36F) || c == '\'' || c == '.' || c == ':' || c == 0xAD || c == 0xB7 ||
         c == 0x2018 || c == 0x2019;
}

// Whether `c` is a letter of a script that has capitals: Latin to Armenian, Greek with its accents, Georgian
// and the like.
bool is_cased(char32_t c) {
  const auto within = [c](char32_t first, char32_t last) { return c >= first && c <= last; };
  if (c < 0x80) return within('a', 'z') || within('A', 'Z');
  return lower(c) != c || within(0xDF, 0xF6) || within(0xF8, 0x24F) || within(0x3AC, 0x3CE) ||
         within(0x430, 0x481) || within(0x48A, 0x52F) || within(0x561, 0x587) || within(0x1E00, 0x1FFC);
}

// Whether a capital sigma at `at` ends a word, by Unicode's rule (15, table 3-17).
bool is_final_sigma(const std::u32string& text, std::size_t at) {
  std::size_t before = at, after = at + 1;
  while (before > 0 && is_passed_over(text[before - 1])) --before;
  while (after < text.size() && is_passed_over(text[after])) ++after;
  return before > 0 && is_cased(text[before - 1]) && (after == text.size() || !is_cased(text[after]));
}

}  // namespace

std::optional<Index> first_invalid_byte(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = decode_at(text, at).length;
    if (length == 0) return static_cast<Index>(at);
    at += length;
  }
  return std::nullopt;
}

std::u32string decode_utf8(std::string_view text) {
  std::u32string code_points;
  code_points.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Decoded decoded = decode_at(text, at);
    if (decoded.length == 0) throw_invalid(at);
    code_points += decoded.code_point;
    at += decoded.length;
  }
  return code_points;
}

std::string encode_utf8(std::u32string_view code_points) {
  std::string bytes;
  bytes.reserve(code_points.size());
  for (const char32_t c : code_points) {
    if (c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) {
      throw std::invalid_argument(
          text("encode_utf8: a code point is at most 0x10FFFF and no surrogate (0xD800 to ",
               "0xDFFF): got 0x", std::hex, static_cast<std::uint32_t>(c)));
    }
    append_utf8(bytes, c);
  }
  return bytes;
}

std::vector<std::string> split_characters(std::string_view text) {
  std::vector<std::string> characters;
  for (std::size_t at = 0; at < text.size(); at += characters.back().size()) {
    const std::size_t length = decode_at(text, at).length;
    if (length == 0) throw_invalid(at);
    characters.emplace_back(text.substr(at, length));
  }
  return characters;
}

bool is_space(char32_t c) {
  if (c < 0x80) return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1C && c <= 0x1F);
  constexpr char32_t others[] = {0x85, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000};
  return (c >= 0x2000 && c <= 0x200A) ||
         std::find(std::begin(others), std::end(others), c) != std::end(others);
}

std::string plain_spaces(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  while (!text.empty()) {
    std::size_t length = 1;
    for (const std::string_view space : {std::string_view("\u00A0"), std::string_view("\u202F")}) {
      if (text.substr(0, space.size()) == space) length = space.size();
    }
    plain += length == 1 ? text.front() : ' ';
    text.remove_prefix(length);
  }
  return plain;
}

std::string lower_case(std::string_view text) {
  const std::u32string letters = decode_utf8(text);
  std::u32string lowered;
  lowered.reserve(letters.size());
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const char32_t c = letters[i];
    if (c == 0x130) {
      lowered += U"i\u0307";  // İ: an i that keeps its dot
    } else if (c == capital_sigma) {
      lowered += is_final_sigma(letters, i) ? final_sigma : sigma;
    } else {
      lowered += lower(c);
    }
  }
  return encode_utf8(lowered);
}

}  // namespace gradual
