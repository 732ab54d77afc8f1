// Sequences to remember from: what is asked has been said before, and nowhere later.
#include <gradual/nn/data/recall.hpp>

#include <map>
#include <string>

#include "support/catch.hpp"

using namespace gradual;

namespace {

constexpr std::int32_t nothing = RecallBatch::nothing;
const RecallSizes sizes{5, 4};

}  // namespace

TEST_CASE("pairs in two: a name keeps its value, and asked for is every value of a name that stood before") {
  const RecallBatch batch = pairs_in_two(20, 12, sizes, Random(1));
  REQUIRE(batch.input.shape() == Shape{20, 24});
  for (Index b = 0; b < 20; ++b) {
    std::map<std::int32_t, std::int32_t> values, places;
    for (Index t = 0; t < 24; t += 2) {
      const Index i = b * 24 + t;
      const std::int32_t name = batch.input[i], value = batch.input[i + 1];
      REQUIRE((name >= 0 && name < 5 && value >= 5 && value < 9));
      const bool known = values.count(name) > 0;
      if (known) CHECK(values[name] == value);
      CHECK(batch.target[i] == (known ? value : nothing));
      CHECK(batch.evidence[i] == (known ? places[name] : nothing));
      CHECK(batch.target[i + 1] == nothing);
      values[name] = value;
      places[name] = static_cast<std::int32_t>(t + 1);
    }
  }
}

TEST_CASE("pairs in one: asked for is the last token that gave a name a value, if one did") {
  const RecallBatch batch = pairs_in_one(20, 24, sizes, Random(2));
  Index asked = 0, changed = 0;
  for (Index b = 0; b < 20; ++b) {
    std::map<std::int32_t, std::int32_t> values, places;
    for (Index t = 0; t < 24; ++t) {
      const Index i = b * 24 + t;
      const std::int32_t name = batch.input[i] / 5, value = batch.input[i] % 5;
      REQUIRE((name >= 0 && name < 5));
      if (value == 4) {
        ++asked;
        REQUIRE(values.count(name) == 1);
        CHECK(batch.target[i] == name * 5 + values[name]);
        CHECK(batch.evidence[i] == places[name]);
      } else {
        changed += values.count(name) > 0 && values[name] != value;
        CHECK(batch.target[i] == nothing);
        CHECK(batch.evidence[i] == nothing);
        values[name] = value;
        places[name] = static_cast<std::int32_t>(t);
      }
    }
  }
  CHECK(asked > 100);
  CHECK(changed > 50);  // so that it matters which value is the last
}

TEST_CASE("recall: the same seed gives the same sequences, another seed others") {
  const auto tokens = [](std::uint64_t seed) {
    const RecallBatch batch = pairs_in_one(2, 30, sizes, Random(seed));
    return std::vector<std::int32_t>(batch.input.begin(), batch.input.end());
  };
  CHECK(tokens(1) == tokens(1));
  CHECK(tokens(1) != tokens(2));
}

TEST_CASE("recall: tokens have names that people can read") {
  CHECK(token_of_pairs_in_two(2, sizes) == "c");
  CHECK(token_of_pairs_in_two(8, sizes) == "3");
  CHECK(token_of_pairs_in_one(2 * 5 + 3, sizes) == "c=3");
  CHECK(token_of_pairs_in_one(2 * 5 + 4, sizes) == "c?");
}

TEST_CASE("recall: sizes that cannot be are refused") {
  CHECK_THROWS_WITH(pairs_in_two(1, 0, sizes, Random(1)),
                    "pairs_in_two: all sizes must be positive, with at most 26 names: batch is 1, length is "
                    "0, names are 5, values are 4");
  CHECK_THROWS_AS(pairs_in_one(1, 5, {27, 4}, Random(1)), std::invalid_argument);
}
