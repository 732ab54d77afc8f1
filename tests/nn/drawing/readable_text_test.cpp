#include <gradual/nn/drawing/readable_text.hpp>

#include "support/catch.hpp"

using namespace gradual;

TEST_CASE("readable text: valid text stays as it is, line ends included") {
  CHECK(readable_text("naïve 日本 😀\n\t") == "naïve 日本 😀\n\t");
  CHECK(readable_text("").empty());
}

TEST_CASE("readable text: each byte that is not UTF-8 becomes U+FFFD") {
  CHECK(readable_text("a\xffz") == "a\uFFFDz");
  CHECK(readable_text("\xc3") == "\uFFFD");
  CHECK(readable_text("\xe6\x97!") == "\uFFFD\uFFFD!");
}

TEST_CASE("readable text: control characters and what XML forbids become visible") {
  CHECK(readable_text(std::string_view("\0\x1b\x7f", 3)) == "␀␛␡");
  CHECK(readable_text("\u0085") == "\uFFFD");
  CHECK(readable_text("\uFFFF") == "\uFFFD");
}

TEST_CASE("token label: white space is visible") { CHECK(token_label(" a\n\t", 9) == "␣a↵⇥"); }

TEST_CASE("token label: a long token is cut by characters, not by bytes") {
  CHECK(token_label("éééé", 4) == "éééé");
  CHECK(token_label("ééééé", 4) == "ééé…");
}

TEST_CASE("token label: a token of any length is whole unless a length is given") {
  CHECK(token_label(std::string(100, 'a')) == std::string(100, 'a'));
}

TEST_CASE("isolated: text from right to left stands between isolates, other text stays as it is") {
  for (const char* text : {"שלום", "سلام 5", "to שלום", "\U0001E900"})
    CHECK(isolated(text) == "\u2068" + std::string(text) + "\u2069");
  for (const char* text : {"", "naïve", "日本 😀", "\xff"}) CHECK(isolated(text) == text);
}

TEST_CASE("text width: counts characters, and wide ones as wide") {
  CHECK(text_width("abc", 10) == Approx(18));
  CHECK(text_width("é…", 10) == Approx(12));
  CHECK(text_width("日本", 10) == Approx(20));
}

TEST_CASE("lines: words stand in as few lines as the width has room for, and none is cut") {
  const double room = text_width("one two", 10);
  CHECK(lines_of("one two  three\nfour", 10, room) == std::vector<std::string>{"one two", "three", "four"});
  CHECK(lines_of("immeasurable", 10, room) == std::vector<std::string>{"immeasurable"});
  CHECK(lines_of(" ", 10, room).empty());
}

TEST_CASE("quoted list: the words of a sentence, twelve at most") {
  CHECK(quoted_list({}).empty());
  CHECK(quoted_list({"a\xff"}) == "\"a\uFFFD\"");
  CHECK(quoted_list({"Hello", "the", "world"}) == "\"Hello\", \"the\" and \"world\"");
  const std::string many = quoted_list(std::vector<std::string>(13, "x"));
  CHECK(many.find(" and ") == std::string::npos);
  CHECK(many.substr(many.size() - 8) == "\"x\", …");  // three bytes
}
