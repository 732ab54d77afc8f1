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

TEST_CASE("classify: weights on verdicts: those of the words of each, in their order") {
  const std::vector<double> weights{0, 0, 0.125, 0.25, 0, 0.0625, 0, 0, 0.5, 0.03125, 0.03125};
  CHECK(on_verdicts(two, weights) == std::vector<double>{0.375, 0.625});
  CHECK(on_verdicts(none, std::vector<double>(7, 1.0 / 7)).empty());
}

TEST_CASE(
    "classify: sentences of a review: all in their order, each with its verdict or none, and its weight") {
  const LabelledText mixed = review_of("praise", "the plot had a budget . the music was not awful .");
  const std::vector<ReviewVerdict> sentences = sentences_of(mixed);
  REQUIRE(sentences.size() == 2);
  CHECK(sentences[0].label.empty());
  CHECK(sentences[1].label == "praise");
  const std::vector<double> weights{0.125, 0, 0, 0, 0, 0.25, 0, 0, 0, 0.5, 0, 0.125};
  CHECK(on_sentence(sentences[0], weights) == 0.375);
  CHECK(on_sentence(sentences[1], weights) == 0.625);
}

TEST_CASE("classify: which verdict counts: they are listed in their order, and the last is said to count") {
  CHECK(which_counts(three) == "complaint, praise, complaint: the last one counts");
  CHECK(which_counts(one) == "praise: the only verdict");
  CHECK(which_counts(none) == "no verdict: neither");
}

TEST_CASE(
    "classify: where weights are: means over the reviews that have several verdicts, each of those before "
    "the last counted by itself") {
  Trial trial;
  trial.documents.held_out = {two, three, one, none};
  trial.verdicts.resize(4);
  trial.verdicts[0].word_weights = {0, 0, 0, 0.2, 0, 0, 0, 0, 0.8, 0, 0};
  trial.verdicts[1].word_weights = {0, 0, 0, 0.3, 0, 0, 0, 0, 0.1, 0, 0, 0, 0, 0.6, 0};
  trial.verdicts[2].word_weights = {0, 0, 0, 1, 0};
  trial.verdicts[3].word_weights = std::vector<double>(7, 1.0 / 7);
  CHECK(where_weights_are(trial) == "Of several verdicts attention gives the last 0.70, each earlier 0.20.");
  trial.without_places = {"praise", "complaint", "praise", "neither"};
  trial.without_places_weights = {{0, 0, 0, 0.5, 0, 0, 0, 0, 0.5, 0, 0},
                                  {0, 0, 0, 0.3, 0, 0, 0, 0, 0.3, 0, 0, 0, 0, 0.4, 0},
                                  {0, 0, 0, 1, 0},
                                  std::vector<double>(7, 1.0 / 7)};
  CHECK(where_weights_are(trial) ==
        "Of several verdicts attention gives the last 0.70, each earlier 0.20; "
        "without places, 0.45 and 0.40: about evenly, on average.");
  trial.without_places_weights[0] = {0, 0, 0, 0.3, 0, 0, 0, 0, 0.7, 0, 0};
  CHECK(where_weights_are(trial) ==
        "Of several verdicts attention gives the last 0.70, each earlier 0.20; "
        "without places, 0.55 and 0.30.");
  trial.documents.held_out = {one, one, one, none};
  for (std::size_t i = 0; i < 3; ++i)
    trial.verdicts[i].word_weights = trial.without_places_weights[i] = {0, 0, 0, 1, 0};
  CHECK(where_weights_are(trial).empty());
}

TEST_CASE("classify: weights are split where the last verdict and an opposite one before it share them") {
  CHECK(is_split(two, {0, 0, 0, 0.52, 0, 0, 0, 0, 0.46, 0, 0.02}));
  CHECK_FALSE(is_split(two, {0, 0, 0, 0.7, 0, 0, 0, 0, 0.3, 0, 0}));
  CHECK(is_split(two, {0.1, 0.1, 0, 0.35, 0, 0, 0, 0, 0.45, 0, 0}));
  CHECK_FALSE(is_split(two, {0, 0, 0, 0.3, 0, 0, 0, 0, 0.3, 0, 0.1}));              // much lies elsewhere
  CHECK_FALSE(is_split(three, {0, 0, 0, 0.5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.5, 0}));  // both complain
  CHECK_FALSE(is_split(one, {0, 0, 0, 1, 0}));
  CHECK_FALSE(is_split(none, std::vector<double>(7, 1.0 / 7)));
}

TEST_CASE("classify: that weights are split is said only where attention is wrong") {
  Trial trial;
  trial.documents.held_out = {two, two};
  trial.verdicts.resize(2);
  trial.verdicts[0].word_weights = trial.verdicts[1].word_weights = {0, 0, 0, 0.5, 0, 0, 0, 0, 0.5, 0, 0};
  trial.by_attention = {"praise", "complaint"};
  CHECK(about_verdicts(trial, 0) == "complaint, praise: the last one counts");
  CHECK(about_verdicts(trial, 1) ==
        "complaint, praise: the last one counts, but attention splits its weight");
}
