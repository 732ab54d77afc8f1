#include <stdexcept>
#include <string>

#include <gradual/nn/text/utf8.hpp>

#include "support/catch.hpp"

using namespace gradual;

namespace {

// Where Python's bytes.decode reports the start of the first error; -1 when there is none.
struct Case {
  std::string bytes;
  Index first_invalid;
};

}  // namespace

TEST_CASE("utf8: characters are counted, and none is cut") {
  const std::string text = "d\u00E9j\u00E0 \u20AC";  // of 1, 2, 1, 2, 1 and 3 bytes
  CHECK(character_count(text) == 6);
  CHECK(character_count("") == 0);
  const std::size_t whole[] = {0, 1, 1, 3, 4, 4, 6, 7, 7, 7, 10, 10};
  for (std::size_t most = 0; most < 12; ++most)
    CHECK(whole_characters(text, most) == text.substr(0, whole[most]));
  CHECK(whole_characters("\x80\x80\x80", 2).empty());  // not UTF-8: no character begins
}

TEST_CASE("utf8: the first invalid byte is found, and only where there is one") {
  const Case cases[] = {
      {"", -1},
      {"plain", -1},
      {"d\u00E9j\u00E0 \u20AC \U0001F642", -1},
      {std::string("a\0b", 3), -1},
      {"\xED\x9F\xBF\xEE\x80\x80\xF4\x8F\xBF\xBF", -1},  // U+D7FF, U+E000 and U+10FFFF: the last ones allowed
      {"ab\x80", 2},                                     // a continuation byte with nothing to continue
      {"ab\xC3", 2},                                     // cut short at the end
      {"ab\xC3 c", 2},                                   // cut short in the middle
      {"\xE2\x82", 0},
      {"\xF0\x9F\x99", 0},
      {"a\xC0\xAF", 1},           // '/' in two bytes
      {"a\xC1\xBF", 1},           // U+007F in two bytes
      {"a\xE0\x9F\xBF", 1},       // U+07FF in three bytes
      {"a\xF0\x8F\xBF\xBF", 1},   // U+FFFF in four bytes
      {"\u00E9\xED\xA0\x80", 2},  // U+D800
      {"\u00E9\xED\xBF\xBF", 2},  // U+DFFF
      {"\xF4\x90\x80\x80", 0},    // U+110000
      {"\xF8\x88\x80\x80\x80", 0},
      {"ok\xFF", 2},
  };
  for (const Case& c : cases) {
    CAPTURE(c.bytes);
    CHECK(first_invalid_byte(c.bytes).value_or(-1) == c.first_invalid);
  }
}

TEST_CASE("utf8: decoding and encoding are inverse at the borders of each length") {
  const std::u32string points = {0x24, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF};
  const std::string bytes =
      "$\x7F\xC2\x80\xDF\xBF\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBF\xF0\x90\x80\x80\xF4\x8F\xBF\xBF";
  CHECK(encode_utf8(points) == bytes);
  CHECK(decode_utf8(bytes) == points);
}

TEST_CASE("utf8: invalid text and numbers that are no characters are refused") {
  CHECK_THROWS_WITH(decode_utf8("ab\xFF"), "decode_utf8: the text must be valid UTF-8: byte 2 is not");
  CHECK_THROWS_AS(split_characters("\xC3"), std::invalid_argument);
  CHECK_THROWS_AS(encode_utf8(std::u32string{0xD800}), std::invalid_argument);
  CHECK_THROWS_WITH(
      encode_utf8(std::u32string{0x110000}),
      "encode_utf8: a code point is at most 0x10FFFF and no surrogate (0xD800 to 0xDFFF): got 0x110000");
}

TEST_CASE("utf8: a string splits into its characters") {
  CHECK(split_characters("n\u00E9 \U0001F642") == std::vector<std::string>{"n", "\u00E9", " ", "\U0001F642"});
  CHECK(split_characters("").empty());
}

TEST_CASE("utf8: the no-break spaces of French become plain ones, other characters stay") {
  CHECK(plain_spaces("Va\u202F! \u00AB\u00A0Oui\u00A0\u00BB \u00A9 \u2026") ==
        "Va ! \u00AB Oui \u00BB \u00A9 \u2026");
}

TEST_CASE("utf8: spaces are those of Python's str.split") {
  std::u32string spaces;
  for (char32_t c = 0; c < 0x11000; ++c) {
    if (is_space(c)) spaces += c;
  }
  // "".join(chr(c) for c in range(0x11000) if chr(c).isspace())
  const std::u32string expected = {0x9,    0xA,    0xB,    0xC,    0xD,    0x1C,   0x1D,   0x1E,
                                   0x1F,   0x20,   0x85,   0xA0,   0x1680, 0x2000, 0x2001, 0x2002,
                                   0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200A,
                                   0x2028, 0x2029, 0x202F, 0x205F, 0x3000};
  CHECK(spaces == expected);
}

TEST_CASE("utf8: marks of all scripts are told from letters, digits and pictures") {
  for (const char32_t c : U"\u060C\u0964\u3002\u2014\u00AB+$\u20AC\u00A9\u00B0^\u202E_")
    if (c) CHECK(is_mark(c));
  for (const char32_t c : U"a\u00E9\u0301\u65E5\u05D0\u0667\u00BD\U0001F600\u200D\u00AD")
    if (c) CHECK_FALSE(is_mark(c));
}

TEST_CASE("utf8: the direction and the width of characters are Unicode's") {
  for (const char32_t c : {U'\u05D0', U'\u0627', U'\U0001E900'}) CHECK(is_right_to_left(c));
  for (const char32_t c : {U'a', U'\u0667', U'\u65E5', U'\u0301'}) CHECK_FALSE(is_right_to_left(c));
  CHECK(columns_of(U'a') == 1);
  CHECK(columns_of(U'\u65E5') == 2);
  CHECK(columns_of(U'\U0001F600') == 2);
  CHECK(columns_of(U'\u0301') == 0);
}

TEST_CASE("utf8: lower case knows the capital letters of Unicode and nothing of locales") {
  CHECK(lower_case("HELLO, World 42!") == "hello, world 42!");
  CHECK(lower_case("\u00C0\u00C9\u00CE\u00D6\u00DC\u00DE\u0152\u0178 \u00D7\u00DF") ==
        "\u00E0\u00E9\u00EE\u00F6\u00FC\u00FE\u0153\u00FF \u00D7\u00DF");
  CHECK(lower_case("\u0100\u0141\u0143\u0147\u0160\u017B\u017D\u0138") ==
        "\u0101\u0142\u0144\u0148\u0161\u017C\u017E\u0138");
  CHECK(lower_case("\u0391\u0386\u0388\u038C\u038F\u03A9") == "\u03B1\u03AC\u03AD\u03CC\u03CE\u03C9");
  CHECK(lower_case("\u0401\u0410\u042F\u0490") == "\u0451\u0430\u044F\u0491");
  CHECK(lower_case("I\u0130") == "ii\u0307");
  CHECK(lower_case("\u6F22\u5B57") == "\u6F22\u5B57");
  CHECK(lower_case("ẞ Ș Ț VIỆT ƯƠ Ա Ａ Ἀ 𐐀 Ა") == "ß ș ț việt ươ ա ａ ἀ 𐐨 ა");
}

TEST_CASE("utf8: a capital sigma is ς at the end of a word and σ elsewhere") {
  CHECK(lower_case("ΟΔΟΣ ΣΟΦΟΣ, Σ ΑΣ' 'Σ Α.Σ. ΆΣΑ ΑΣ̈Α") == "οδος σοφος, σ ας' 'σ α.ς. άσα ασ̈α");
  CHECK(lower_case("ΑΣ日 日Σ ΑΣ1 1Σ AΣB") == "ας日 日σ ας1 1σ aσb");
  CHECK(lower_case("ⒶΣ ªΣ ⅫΣ") == "ⓐς ªς ⅻς");
  CHECK(lower_case("AΣʰB AΣ·B AΣ‧") == "aσʰb aσ·b aς‧");
  CHECK(lower_case("ǅΣ ǅ") == "ǆς ǆ");
}
