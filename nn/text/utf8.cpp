#include <gradual/nn/text/utf8.hpp>

#include <algorithm>
#include <stdexcept>

#include <utf8proc.h>

#include <gradual/core/error.hpp>

namespace gradual {
namespace {

struct Decoded {
  char32_t code_point;
  std::size_t length;  // 0: no valid sequence begins here
};

Decoded decode_at(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  if (lead < 0x80) return {lead, 1};
  utf8proc_int32_t code_point = 0;
  const utf8proc_ssize_t length =
      utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()) + at,
                       static_cast<utf8proc_ssize_t>(text.size() - at), &code_point);
  return {static_cast<char32_t>(code_point), length > 0 ? static_cast<std::size_t>(length) : 0};
}

[[noreturn]] void throw_invalid(std::size_t byte) {
  throw std::invalid_argument(
      gradual::text("decode_utf8: the text must be valid UTF-8: byte ", byte, " is not"));
}

// What Unicode says of a character; that of an unassigned one for numbers that are none.
const utf8proc_property_t& property(char32_t c) {
  return *utf8proc_get_property(static_cast<utf8proc_int32_t>(c));
}

char32_t lower(char32_t c) {
  return static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c)));
}

constexpr char32_t capital_sigma = 0x3A3, sigma = 0x3C3, final_sigma = 0x3C2;

// Unicode's Case_Ignorable: what stands inside a word without being a letter of it, such as accents,
// apostrophes and points.
bool is_passed_over(char32_t c) {
  constexpr std::u32string_view inside_words =
      U"'.:\u00B7\u0387\u055F\u05F4\u2018\u2019\u2024\u2027\uFE13\uFE52\uFE55\uFF07\uFF0E\uFF1A";
  switch (property(c).category) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_SK:
      return true;
    default:
      return inside_words.find(c) != std::u32string_view::npos;
  }
}

// Unicode's Cased: a letter, or a sign such as Ⓐ, of a script that has capitals.
bool is_cased(char32_t c) {
  const auto category = property(c).category;
  return category == UTF8PROC_CATEGORY_LU || category == UTF8PROC_CATEGORY_LL ||
         category == UTF8PROC_CATEGORY_LT || c == 0xAA || c == 0xBA || lower(c) != c ||
         utf8proc_toupper(static_cast<utf8proc_int32_t>(c)) != static_cast<utf8proc_int32_t>(c);
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
    if (c < 0x80) {
      bytes += static_cast<char>(c);
      continue;
    }
    utf8proc_uint8_t encoded[4];
    const auto code_point = static_cast<utf8proc_int32_t>(c);
    if (c > 0x10FFFF || !utf8proc_codepoint_valid(code_point)) {
      throw std::invalid_argument(
          text("encode_utf8: a code point is at most 0x10FFFF and no surrogate (0xD800 to ",
               "0xDFFF): got 0x", std::hex, static_cast<std::uint32_t>(c)));
    }
    bytes.append(encoded, encoded + utf8proc_encode_char(code_point, encoded));
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
  const utf8proc_property_t& is = property(c);
  return is.category == UTF8PROC_CATEGORY_ZS || is.bidi_class == UTF8PROC_BIDI_CLASS_WS ||
         is.bidi_class == UTF8PROC_BIDI_CLASS_B || is.bidi_class == UTF8PROC_BIDI_CLASS_S;
}

bool is_letter(char32_t c) {
  const auto category = property(c).category;
  return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
}

bool is_number(char32_t c) {
  const auto category = property(c).category;
  return category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO;
}

bool is_control(char32_t c) { return property(c).category == UTF8PROC_CATEGORY_CC; }

bool is_mark(char32_t c) {
  const utf8proc_property_t& is = property(c);
  switch (is.category) {
    case UTF8PROC_CATEGORY_PC:
    case UTF8PROC_CATEGORY_PD:
    case UTF8PROC_CATEGORY_PS:
    case UTF8PROC_CATEGORY_PE:
    case UTF8PROC_CATEGORY_PI:
    case UTF8PROC_CATEGORY_PF:
    case UTF8PROC_CATEGORY_PO:
    case UTF8PROC_CATEGORY_SM:
    case UTF8PROC_CATEGORY_SC:
    case UTF8PROC_CATEGORY_SK:
    case UTF8PROC_CATEGORY_CC:
      return true;
    case UTF8PROC_CATEGORY_SO:
      return c < 0x100;
    case UTF8PROC_CATEGORY_CF:
      return is.bidi_class != UTF8PROC_BIDI_CLASS_BN;
    default:
      return false;
  }
}

bool is_right_to_left(char32_t c) {
  const auto direction = property(c).bidi_class;
  return direction == UTF8PROC_BIDI_CLASS_R || direction == UTF8PROC_BIDI_CLASS_AL;
}

int columns_of(char32_t c) { return utf8proc_charwidth(static_cast<utf8proc_int32_t>(c)); }

std::string plain_spaces(std::string_view text) {
  constexpr std::string_view unbroken[] = {"\u00A0", "\u202F"};
  const auto is_in_text = [=](std::string_view space) { return text.find(space) != text.npos; };
  if (std::none_of(std::begin(unbroken), std::end(unbroken), is_in_text)) return std::string(text);

  std::string plain;
  plain.reserve(text.size());
  while (!text.empty()) {
    std::size_t length = 1;
    for (const std::string_view space : unbroken) {
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
