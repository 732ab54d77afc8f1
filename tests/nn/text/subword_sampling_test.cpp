#include <gradual/nn/text/subword_sampling.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <gradual/nn/text/tokenizer.hpp>

#include "support/catch.hpp"

using namespace gradual;

namespace {

using Shares = std::map<std::string, double>;

// How often a word becomes what, of 20,000 times: "ab|c".
Shares shares_of(const SubwordSampler& sampler, const std::string& word) {
  constexpr int times = 20000;
  Shares shares;
  Random random(1);
  for (int i = 0; i < times; ++i) {
    std::string cut;
    for (const std::string& piece : sampler(word, random)) cut += (cut.empty() ? "" : "|") + piece;
    shares[cut] += 1.0 / times;
  }
  return shares;
}

// Four standard deviations of such a share are at most 4·√(¼ / 20,000) = 0.0142.
void check_shares(const Shares& drawn, const Shares& expected) {
  CHECK(drawn.size() == expected.size());
  for (const auto& [cut, share] : expected) {
    INFO(cut);
    REQUIRE(drawn.count(cut) == 1);
    CHECK(drawn.at(cut) == Approx(share).margin(0.0142));
  }
}

std::vector<SubwordPiece> merges_of_abc(bool ab_is_used = true) {
  return {{"ab", 0, ab_is_used}, {"bc", -1}, {"abc", -2}, {"a", -3}, {"b", -4}, {"c", -5}};
}

const std::vector<std::string> cats = {"the cat sleeps", "the hat steps", "cats let the hats sleep"};

Language cat_language(SubwordKind kind, Index min_count = 1) {
  LanguageOptions options;
  options.min_count = min_count;
  options.units = TextUnits::subwords;
  options.subwords = {kind, 16};
  options.sampled = true;
  return learn_language(cats, options);
}

}  // namespace

TEST_CASE("subword sampling: a merge of byte pairs is left out with probability p, in each step anew") {
  // ab is merged first where it is not left out, else bc; whichever it was, abc then needs one more merge.
  const double p = 0.3;
  check_shares(
      shares_of(SubwordSampler(SubwordKind::bpe, merges_of_abc(), p), "abc"),
      {{"abc", (1 - p * p) * (1 - p)}, {"ab|c", (1 - p) * p}, {"a|bc", p * (1 - p) * p}, {"a|b|c", p * p}});
}

TEST_CASE("subword sampling: without a merge left out it is the one cut, and with all left out letters") {
  Random random(1);
  const SubwordSampler none(SubwordKind::bpe, merges_of_abc(), 0), all(SubwordKind::bpe, merges_of_abc(), 1);
  CHECK(none("abcab", random) == std::vector<std::string>{"abc", "ab"});
  CHECK(all("abcab", random) == std::vector<std::string>{"a", "b", "c", "a", "b"});
  CHECK(none("né", random) == std::vector<std::string>{"n", "é"});
  CHECK(none("", random).empty());
  const SubwordSampler pairs(SubwordKind::bpe, {{"aa", 0}, {"a", -1}}, 0);
  CHECK(pairs("aaa", random) == std::vector<std::string>{"aa", "a"});  // of equal merges the first
}

TEST_CASE("subword sampling: a piece that is not used becomes what it was merged of, but leads to others") {
  const double p = 0.3;
  check_shares(shares_of(SubwordSampler(SubwordKind::bpe, merges_of_abc(false), p), "abc"),
               {{"abc", (1 - p * p) * (1 - p)}, {"a|bc", p * (1 - p) * p}, {"a|b|c", p * p + (1 - p) * p}});
}

TEST_CASE("subword sampling: a cut into unigrams comes as often as its probability to the power of α") {
  const std::vector<SubwordPiece> pieces = {
      {"a", std::log(0.3)}, {"b", std::log(0.2)}, {"ab", std::log(0.4)}, {"ba", std::log(0.1)}};
  // aba: a|b|a 0.018, ab|a 0.12, a|ba 0.03
  for (const double alpha : {0.0, 0.5, 1.0}) {
    INFO("α = " << alpha);
    const double letters = std::pow(0.018, alpha), first = std::pow(0.12, alpha),
                 last = std::pow(0.03, alpha);
    const double all = letters + first + last;
    check_shares(shares_of(SubwordSampler(SubwordKind::unigram, pieces, alpha), "aba"),
                 {{"a|b|a", letters / all}, {"ab|a", first / all}, {"a|ba", last / all}});
  }
}

TEST_CASE("subword sampling: a letter that is no unigram stays, and pieces that are not used are not drawn") {
  Random random(1);
  const SubwordSampler sampler(SubwordKind::unigram, {{"a", -1}, {"b", -1}, {"ab", -0.1, false}}, 1);
  for (int i = 0; i < 20; ++i) CHECK(sampler("abż", random) == std::vector<std::string>{"a", "b", "ż"});
}

TEST_CASE("subword sampling: the same stream gives the same cuts, and a strength must be a share") {
  const SubwordSampler sampler(SubwordKind::bpe, merges_of_abc(), 0.5);
  Random one(3), same(3);
  for (int i = 0; i < 50; ++i) CHECK(sampler("abcabcabc", one) == sampler("abcabcabc", same));
  CHECK_THROWS_WITH(SubwordSampler(SubwordKind::bpe, merges_of_abc(), 1.5),
                    "subwords: the strength of sampling must lie in [0, 1]: got 1.5");
  CHECK_THROWS_WITH(SubwordSampler(SubwordKind::bpe, {}, 0.5),
                    "subwords: there must be pieces to sample: there are none");
  CHECK_THROWS_WITH(sampler("a\xff", one), "subwords: a word must be UTF-8: byte 1 is not");
}

TEST_CASE("subword sampling: with nothing left out, byte pairs are those that SentencePiece finds") {
  if (!Subwords::available()) return;
  const Language language = cat_language(SubwordKind::bpe);
  CHECK(language.tokenizer.subwords().kind() == SubwordKind::bpe);
  CHECK(language.tokenizer.subwords().words("the cats") == std::vector<std::string>{"▁the", "▁cats"});
  const SentenceSampler sampler(language, 0);
  Random random(1);
  for (const std::string& sentence : cats)
    CHECK(sampler.encode(sentence, random) == language.encode(sentence));
}

TEST_CASE("subword sampling: a sampled sentence changes, spells the same, and has no unknown pieces") {
  if (!Subwords::available()) return;
  for (const SubwordKind kind : {SubwordKind::bpe, SubwordKind::unigram}) {
    const Language language = cat_language(kind);
    CHECK(language.tokenizer.subwords().kind() == kind);
    const SentenceSampler sampler(language, 0.4);
    Random random(1);
    bool changes = false;
    for (int i = 0; i < 50; ++i) {
      const std::vector<std::int32_t> ids = sampler.encode("cats sleep", random);
      changes = changes || ids != language.encode("cats sleep");
      CHECK(std::count(ids.begin(), ids.end(), Vocabulary::unknown) == 0);
      CHECK(language.tokenizer.join(language.vocabulary.decode(ids)) == "cats sleep");
    }
    CHECK(changes);
  }
}

TEST_CASE("subword sampling: where rare words are unknown, no piece that a sample may hold is") {
  if (!Subwords::available()) return;
  const Language language = cat_language(SubwordKind::bpe, 5);
  const SentenceSampler sampler(language,
                                1);  // every word in letters, some of which its best cuts never show
  Random random(1);
  for (const std::string& sentence : cats) {
    const std::vector<std::int32_t> ids = sampler.encode(sentence, random);
    CHECK(std::count(ids.begin(), ids.end(), Vocabulary::unknown) == 0);
  }
}

TEST_CASE("subword sampling: words have no subwords to sample") {
  const Language words = learn_language(cats, {});
  CHECK_THROWS_AS(SentenceSampler(words, 0.1), std::logic_error);
}

TEST_CASE("subwords: pieces of another language that are joined leave no mark behind") {
  if (!Subwords::available()) return;
  const Language language = cat_language(SubwordKind::bpe);
  const Subwords& subwords = language.tokenizer.subwords();
  CHECK(subwords.join({"▁Ω", "▁Ψ"}) == "Ω Ψ");
  CHECK(subwords.join({"▁▁Ω", "▁Ψ"}) == "Ω Ψ");
}
