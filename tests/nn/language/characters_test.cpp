#include <gradual/nn/language/characters.hpp>

#include "support/catch.hpp"

using namespace gradual;
using Ids = std::vector<std::int32_t>;

TEST_CASE("characters: ids follow the order of the code points, and each character has one") {
  const Characters characters = Characters::of("né né\nan");
  CHECK(characters.list() == std::vector<std::string>{"\n", " ", "a", "n", "é"});
  CHECK(characters.encode("éa") == Ids{4, 2});
  CHECK(characters.decode({3, 4, 0}) == "né\n");
  CHECK(characters.encode("").empty());
}

TEST_CASE("characters: their list makes them again") {
  const Characters characters = Characters::of("to be, or not to be");
  CHECK(Characters(characters.list()).encode("not") == characters.encode("not"));
}

TEST_CASE("characters: one that was never seen is named with its place, counted in characters") {
  const Characters characters = Characters::of("né");
  CHECK_THROWS_WITH(characters.encode("ééx"),
                    "characters: each must be one of the 2 that are known: got \"x\" at place 3");
  CHECK_THROWS_WITH(characters.encode("n\n"),
                    "characters: each must be one of the 2 that are known: got \"↵\" at place 2");
}

TEST_CASE("characters: empty texts, bad lists and bad ids are refused") {
  CHECK_THROWS_WITH(Characters::of(""), "characters: there must be at least one: got none");
  CHECK_THROWS_AS(Characters::of("\xff"), std::invalid_argument);
  CHECK_THROWS_WITH(Characters({"a", "bc"}), "characters: each must be a single one: got \"bc\"");
  CHECK_THROWS_WITH(Characters({"a", "a"}), "characters: each must stand once: got \"a\" twice");
  CHECK_THROWS_WITH(Characters::of("ab").decode({2}), "characters: ids must lie in 0 … 1: got 2");
  CHECK_THROWS_WITH(Characters::of("ab").decode({-1}), "characters: ids must lie in 0 … 1: got -1");
}
