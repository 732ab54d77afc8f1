// Attention and known alignments, counted by hand.
#include <gradual/nn/inspect/alignment_match.hpp>

#include <gradual/nn/data/toy_corpus.hpp>
#include <gradual/nn/text/words.hpp>

#include "support/catch.hpp"

using namespace gradual;

namespace {

// "red cars" and "des voitures rouges": des has no source word.
const AttentionMap map{
    {"des", "voitures", "rouges"}, {"red", "cars"}, {0.5f, 0.5f, 0.25f, 0.75f, 0.375f, 0.625f}, ""};
const Alignment alignment{{1, 1}, {0, 2}};

}  // namespace

TEST_CASE("alignment match: the weight on the right words, and how often one of them has the most") {
  const AlignmentMatch match = match_alignment(map, alignment);
  CHECK(match.words == 2);
  CHECK(match.mean_weight() == Approx((0.75 + 0.375) / 2));
  CHECK(match.strongest == 1);
  CHECK(match.strongest_share() == 0.5);
}

TEST_CASE("alignment match: a word with two source words gets the weight of both") {
  const AlignmentMatch match = match_alignment(map, {{0, 0}, {1, 0}});
  CHECK(match.words == 1);
  CHECK(match.weight == Approx(1));
  CHECK(match.strongest == 1);
}

TEST_CASE("alignment match: matches of several sentences add up, and none is none") {
  AlignmentMatch all;
  CHECK(all.mean_weight() == 0);
  CHECK(all.strongest_share() == 0);
  all += match_alignment(map, alignment);
  all += match_alignment(map, {{1, 1}});
  CHECK(all.words == 3);
  CHECK(all.strongest_share() == Approx(2.0 / 3));
}

TEST_CASE("alignment match: the alignment as a map matches itself wholly") {
  const ToyCorpus corpus = make_toy_corpus(3, 40, 0, 0);
  for (const SentencePair& pair : corpus.train) {
    const Alignment& known = corpus.alignments.at(pair.source);
    const AttentionMap perfect = alignment_map(split_words(pair.target), split_words(pair.source), known);
    const AlignmentMatch match = match_alignment(perfect, known);
    CHECK(match.words > 0);
    CHECK(match.mean_weight() == Approx(1));
    CHECK(match.strongest_share() == 1);
  }
}

TEST_CASE("alignment match: words that the map does not have are named") {
  CHECK_THROWS_WITH(match_alignment(map, {{2, 1}}),
                    "alignment: both words must be in the map: source 2 of 2, target 1 of 3");
  CHECK_THROWS_AS(alignment_map({"a"}, {"b"}, {{0, -1}}), std::invalid_argument);
}
