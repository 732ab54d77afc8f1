// The forms of words.
#include "../../../examples/classify/word_form.hpp"

#include <set>

#include "support/catch.hpp"

using namespace gradual;

TEST_CASE("shape of a word: capitals, digits and marks tell") {
  CHECK(shape_of("city") == WordShape::lower_case);
  CHECK(shape_of("Aspen") == WordShape::capitalised);
  CHECK(shape_of("\xc3\x89toile") == WordShape::capitalised);  // Étoile
  CHECK(shape_of("McGwire") == WordShape::mixed_case);
  CHECK(shape_of("eBay") == WordShape::mixed_case);
  CHECK(shape_of("NASA") == WordShape::capitals);
  CHECK(shape_of("U.S.") == WordShape::capitals);
  CHECK(shape_of("X") == WordShape::one_capital);
  CHECK(shape_of("1984") == WordShape::year);
  CHECK(shape_of("12") == WordShape::number);
  CHECK(shape_of("20th") == WordShape::with_digits);
  CHECK(shape_of("$5") == WordShape::with_digits);
  CHECK(shape_of("sister-city") == WordShape::with_marks);
  CHECK(shape_of("?") == WordShape::marks);
}

TEST_CASE("affixes: words that begin or end alike share these numbers, case does not matter") {
  const auto dance = affixes_of("dance", 1 << 20), dancer = affixes_of("Dancer", 1 << 20),
             finance = affixes_of("finance", 1 << 20);
  CHECK((dance[0] == dancer[0] && dance[1] == dancer[1]));
  CHECK((dance[2] != dancer[2] && dance[3] != dancer[3] && dance[4] != dancer[4]));
  CHECK((dance[2] == finance[2] && dance[3] == finance[3] && dance[4] == finance[4]));
  CHECK((dance[0] != finance[0] && dance[1] != finance[1]));
}

TEST_CASE("affixes: the five of a word differ, lie within the buckets, and are characters, not bytes") {
  const auto short_word = affixes_of("of", 1 << 20);
  CHECK(std::set<std::int32_t>(short_word.begin(), short_word.end()).size() == 5);
  for (const std::int32_t number : affixes_of("anything", 7)) CHECK((number >= 0 && number < 7));
  const auto cafe = affixes_of("caf\xc3\xa9", 1 << 20);  // café: four characters
  CHECK(cafe[1] == affixes_of("caf\xc3\xa9s", 1 << 20)[1]);
  CHECK_THROWS_WITH(affixes_of("word", 0), "affixes: there must be at least one bucket: got 0");
}
