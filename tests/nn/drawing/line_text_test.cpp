#include <gradual/nn/drawing/line_text.hpp>

#include <stdexcept>

#include "support/catch.hpp"

using namespace gradual;

TEST_CASE("line text: items stand one after the other, with what is wanted between them") {
  CHECK(list_text({}) == "");
  CHECK(list_text({"a"}, ", ") == "a");
  CHECK(list_text({"a", "", "b"}, ", ") == "a, , b");
  CHECK(list_text({"le", "chat"}) == "le chat");
}

TEST_CASE("line text: items of a sentence have an and before the last") {
  CHECK(and_text({}) == "");
  CHECK(and_text({"a"}) == "a");
  CHECK(and_text({"a", "b"}) == "a and b");
  CHECK(and_text({"a", "b", "c"}) == "a, b and c");
}

TEST_CASE("line text: a field is as wide as its characters say, and never cuts") {
  CHECK(right_in(5, "né") == "   né");
  CHECK(left_in(5, "né") == "né   ");
  CHECK(right_in(2, "long") == "long");
  CHECK(left_in(0, "") == "");
  CHECK_THROWS_AS(right_in(3, "\xff"), std::invalid_argument);
}

TEST_CASE("line text: a text is repeated as often as it is said, which may be never") {
  CHECK(repeated("─", 3) == "───");
  CHECK(repeated("ab", 2) == "abab");
  CHECK(repeated("ab", 0).empty());
}
