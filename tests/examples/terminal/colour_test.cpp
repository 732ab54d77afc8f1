#include "../../../examples/terminal/colour.hpp"

#include <cstdlib>

#include "../../../examples/terminal/legend.hpp"
#include "../../../examples/terminal/reporter.hpp"
#include "support/catch.hpp"

TEST_CASE("terminal: lines break between words, and a word that is too long stands alone") {
  CHECK(wrapped("one two  three", 8) == "one two\nthree");
  CHECK(wrapped("one incomprehensible two", 8) == "one\nincomprehensible\ntwo");
  CHECK(wrapped("été été", 7) == "été été");  // letters count, not bytes
  CHECK(wrapped("", 8).empty());
  CHECK(wrapped("\nname   1\n  one two three\n", 9) == "\nname   1\n  one two\n  three\n");
}

TEST_CASE("terminal: no line ends between a number and its % or °C") {
  CHECK(wrapped("of all 12 % are", 9) == "of all\n12 % are");
  CHECK(wrapped("it is 64.1 °C", 10) == "it is\n64.1 °C");
  CHECK(wrapped("100 %", 3) == "100 %");
}

TEST_CASE(
    "terminal: a legend has names below each other, and meanings as far in, also where they are broken") {
  const std::string lines = legend({{"one", "a number"}, {"three", "another and odd"}});
  CHECK(lines == "  one    a number\n  three  another and odd\n");
  CHECK(wrapped(lines, 22) == "  one    a number\n  three  another and\n         odd\n");
  CHECK(legend({}).empty());
}

TEST_CASE("terminal: a line goes on below its text, behind a mark or a name; there is room between words") {
  CHECK(wrapped("name  one two three\n", 15) == "name  one two\n      three\n");
  CHECK(wrapped("  ✓ one two three", 12) == "  ✓ one two\n    three");
  CHECK(wrapped("a name that is long  one", 20) == "a name that is long\none");
}

TEST_CASE("terminal: what goes to a file has no colours") {
  std::FILE* const file = std::tmpfile();
  CHECK_FALSE(has_colours(file));
  CHECK(in_colour("word", Colour::right, file) == "word");
  CHECK(with_marks_in_colour("  ✓ word", file) == "  ✓ word");
  CHECK(with_rows_in_colour("one  1\ntwo  2\n", {{"two", Colour::right}}, file) == "one  1\ntwo  2\n");
  CHECK(with_landmarks_strong("Why?\n\nIn short: so.\n", file) == "Why?\n\nIn short: so.\n");
  std::fclose(file);
}

TEST_CASE(
    "terminal: a sentence and its translation fit a line; where there is no room the translation stands "
    "alone") {
  CHECK(sentence_line("The cat.", "Le chat.", "Le chat.", 60) == "The cat. → Le chat.");
  CHECK(sentence_line("The very small cat.", "Le chat.", "Le chat.", 25) == "Le chat.");
  CHECK(sentence_line("The cat.", "Le Le Le Le Le Le Le Le", "Le chat.", 24) == "The cat. → Le Le Le …");
}
