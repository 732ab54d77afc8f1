#include <gradual/nn/data/reviews.hpp>

#include <map>
#include <set>

#include "support/catch.hpp"

using namespace gradual;

TEST_CASE("reviews: the last verdict is the label, and a `not` turns it round") {
  const std::set<std::string> good = {"wonderful", "brilliant", "moving", "clever", "charming", "superb"},
                              bad = {"dull", "awful", "clumsy", "boring", "tiresome", "shallow"};
  std::map<std::string, int> seen;
  for (const LabelledText& review : draw_reviews(500, Random(1))) {
    std::string verdict = "neither";
    for (std::size_t i = 0; i < review.words.size(); ++i) {
      const std::string& word = review.words[i];
      if (good.count(word) == 0 && bad.count(word) == 0) continue;
      const bool negated = review.words[i - 1] == "not";
      verdict = (good.count(word) > 0) != negated ? "praise" : "complaint";
    }
    CHECK(review.label == verdict);
    CHECK(review.kind == verdict);
    CHECK(review.line == static_cast<std::int64_t>(++seen["all"]));
    ++seen[verdict];
  }
  CHECK(seen["praise"] > 150);
  CHECK(seen["complaint"] > 150);
  CHECK(seen["neither"] > 10);
}

TEST_CASE("reviews: the last verdict is the last sentence with a word that judges, with its full stop") {
  const auto found = [](const std::vector<std::string>& words) {
    LabelledText review;
    review.words = words;
    const auto [begin, end] = last_verdict(review);
    return std::vector<std::string>(words.begin() + static_cast<std::ptrdiff_t>(begin),
                                    words.begin() + static_cast<std::ptrdiff_t>(end));
  };
  const std::vector<std::string> dull{"the", "cast", "was", "dull", "."},
      not_dull{"it", "was", "not", "dull", "."}, fact{"the", "plot", "changed", "."};
  const auto joined = [](std::vector<std::string> a, const std::vector<std::string>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  };
  CHECK(found(dull) == dull);
  CHECK(found(joined(dull, not_dull)) == not_dull);
  CHECK(found(joined(joined(fact, not_dull), fact)) == not_dull);
  CHECK(found(fact).empty());
  CHECK(found({}).empty());
  CHECK(found({"so", "dull"}) == std::vector<std::string>{"so", "dull"});
}

TEST_CASE(
    "reviews: each sentence with a word that judges is a verdict, which a `not` of this sentence turns "
    "round") {
  LabelledText review;
  review.words = {"the", "cast", "was", "dull", ".",   "the", "plot", "changed", ".",   "it", "was",
                  "not", "dull", ".",   "it",   "was", "not", ".",    "superb",  "and", "so", "on"};
  const std::vector<ReviewVerdict> found = verdicts(review);
  REQUIRE(found.size() == 3);
  CHECK((found[0].label == "complaint" && found[0].begin == 0 && found[0].end == 5));
  CHECK((found[1].label == "praise" && found[1].begin == 9 && found[1].end == 14));
  CHECK((found[2].label == "praise" && found[2].begin == 18 && found[2].end == 22));
  for (const LabelledText& each : draw_reviews(50, Random(2)))
    CHECK(each.label == (verdicts(each).empty() ? "neither" : verdicts(each).back().label));
}

TEST_CASE("reviews: the same numbers draw the same ones, and others others") {
  const auto words = [](std::uint64_t seed) { return draw_reviews(3, Random(seed))[2].words; };
  CHECK(words(7) == words(7));
  CHECK(words(7) != words(8));
}
