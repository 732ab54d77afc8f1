// How much weight attention gives to the verdicts of a review.
#include "../../../examples/classify/verdict_weights.hpp"

#include <sstream>

#include "support/catch.hpp"

using namespace gradual;

namespace {

LabelledText review_of(const std::string& label, const std::string& words) {
  LabelledText review{label, label, {}, 1};
  std::istringstream pieces(words);
  for (std::string word; pieces >> word;) review.words.push_back(word);
  return review;
}

const LabelledText two = review_of("praise", "the cast was dull . the plot was not awful .");
const LabelledText three =
    review_of("complaint", "the cast was dull . the plot was clever . the music was awful .");
const LabelledText one = review_of("praise", "the plot was clever .");
const LabelledText none = review_of("neither", "the plot had a large budget .");

}  // namespace

TEST_CASE("weights on verdicts: those of the words of each, in their order") {
  const std::vector<double> weights{0, 0, 0.125, 0.25, 0, 0.0625, 0, 0, 0.5, 0.03125, 0.03125};
  CHECK(on_verdicts(two, weights) == std::vector<double>{0.375, 0.625});
  CHECK(on_verdicts_text(two, weights) == "0.38, 0.62");
  CHECK(on_verdicts_text(none, std::vector<double>(7, 1.0 / 7)).empty());
}

TEST_CASE("verdicts are listed in their order, and the last one is marked") {
  CHECK(verdicts_text(three) == "complaint, praise, complaint ← last");
  CHECK(verdicts_text(one) == "praise ← last");
  CHECK(verdicts_text(none) == "none");
}

TEST_CASE(
    "where weights are: means over the reviews that have several verdicts, each of those before the last "
    "counted by itself") {
  Trial trial;
  trial.documents.held_out = {two, three, one, none};
  trial.verdicts.resize(4);
  trial.verdicts[0].word_weights = {0, 0, 0, 0.2, 0, 0, 0, 0, 0.8, 0, 0};
  trial.verdicts[1].word_weights = {0, 0, 0, 0.3, 0, 0, 0, 0, 0.1, 0, 0, 0, 0, 0.6, 0};
  trial.verdicts[2].word_weights = {0, 0, 0, 1, 0};
  trial.verdicts[3].word_weights = std::vector<double>(7, 1.0 / 7);
  CHECK(
      where_weights_are(trial) ==
      "In reviews with several verdicts attention gives 0.70 of its weight to the last one and 0.20 to each "
      "one before it.");
  trial.without_places = {"praise", "complaint", "praise", "neither"};
  trial.without_places_weights = {{0, 0, 0, 0.5, 0, 0, 0, 0, 0.5, 0, 0},
                                  {0, 0, 0, 0.3, 0, 0, 0, 0, 0.3, 0, 0, 0, 0, 0.4, 0},
                                  {0, 0, 0, 1, 0},
                                  std::vector<double>(7, 1.0 / 7)};
  CHECK(
      where_weights_are(trial) ==
      "In reviews with several verdicts attention gives 0.70 of its weight to the last one and 0.20 to each "
      "one before it; without places it gives 0.45 and 0.40: it spreads them over all verdicts alike.");
  trial.without_places_weights[0] = {0, 0, 0, 0.3, 0, 0, 0, 0, 0.7, 0, 0};
  CHECK(
      where_weights_are(trial) ==
      "In reviews with several verdicts attention gives 0.70 of its weight to the last one and 0.20 to each "
      "one before it; without places it gives 0.55 and 0.30.");
  trial.documents.held_out = {one, one, one, none};
  for (std::size_t i = 0; i < 3; ++i)
    trial.verdicts[i].word_weights = trial.without_places_weights[i] = {0, 0, 0, 1, 0};
  CHECK(where_weights_are(trial).empty());
}

TEST_CASE("why wrong: only where the weight is split between the last verdict and another one before it") {
  CHECK(why_wrong(two, {0, 0, 0, 0.52, 0, 0, 0, 0, 0.46, 0, 0.02}) ==
        "Its weight is split: 0.48 lies on the last verdict, 0.52 on one before that says the opposite.");
  CHECK(why_wrong(two, {0, 0, 0, 0.7, 0, 0, 0, 0, 0.3, 0, 0}).empty());  // not split
  CHECK(why_wrong(two, {0.1, 0.1, 0, 0.35, 0, 0, 0, 0, 0.45, 0, 0}) ==
        "Its weight is split: 0.45 lies on the last verdict, 0.55 on one before that says the opposite.");
  CHECK(why_wrong(two, {0, 0, 0, 0.3, 0, 0, 0, 0, 0.3, 0, 0.1}).empty());              // much lies elsewhere
  CHECK(why_wrong(three, {0, 0, 0, 0.5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.5, 0}).empty());  // both complain
  CHECK(why_wrong(one, {0, 0, 0, 1, 0}).empty());
  CHECK(why_wrong(none, std::vector<double>(7, 1.0 / 7)).empty());
}
