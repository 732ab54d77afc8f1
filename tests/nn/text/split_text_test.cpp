#include <gradual/nn/text/split_text.hpp>

#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gradual/core/random.hpp>

#include "support/catch.hpp"

using namespace gradual;

namespace {

using Pairs = std::vector<SentencePair>;

Pairs numbered_pairs(int sources, int translations) {
  Pairs pairs;
  for (int t = 0; t < translations; ++t) {
    for (int s = 0; s < sources; ++s)
      pairs.push_back(
          {"source " + std::to_string(s), "target " + std::to_string(s) + "." + std::to_string(t)});
  }
  return pairs;
}

SplitText split(const Pairs& pairs, Index held_out, Index validation, std::uint64_t seed) {
  return SplitText(std::make_unique<ListStream<SentencePair>>(pairs), {0, held_out, validation, seed});
}

Pairs rest(PairStream& stream) {
  Pairs pairs;
  for (SentencePair pair; stream.next(pair);) pairs.push_back(pair);
  return pairs;
}

std::set<std::string> sources_of(const Pairs& pairs) {
  std::set<std::string> sources;
  for (const SentencePair& pair : pairs) sources.insert(pair.source);
  return sources;
}

}  // namespace

TEST_CASE("split: every pair goes one way, in order, and all translations of a source go together") {
  const Pairs pairs = numbered_pairs(100, 3);
  SplitText text = split(pairs, 17, 10, 1);
  const Pairs train = rest(text);
  CHECK(text.held_out().size() == 17 * 3);
  CHECK(text.validation().size() == 10 * 3);
  CHECK(train.size() == 73 * 3);
  CHECK(text.size() == 73 * 3);
  CHECK(text.too_long() == 0);

  const std::set<std::string> held = sources_of(text.held_out()), watched = sources_of(text.validation());
  CHECK(held.size() == 17);
  CHECK(watched.size() == 10);
  Pairs merged;
  auto t = train.begin(), h = text.held_out().begin(), v = text.validation().begin();
  for (const SentencePair& pair : pairs)
    merged.push_back(held.count(pair.source) ? *h++ : watched.count(pair.source) ? *v++ : *t++);
  CHECK(merged == pairs);

  text.rewind();
  CHECK(rest(text) == train);
}

TEST_CASE(
    "split: the sources are ranked in the order in which they first come, the validation set after the "
    "others") {
  // Random(seed).permutation(n) gives the rank of each; the lowest ranks are held back.
  const Pairs pairs = numbered_pairs(6, 2);
  const SplitText text = split(pairs, 2, 2, 7);
  std::vector<int> left;
  std::vector<Index> rank = Random(7).permutation(6);
  for (int s = 0; s < 6; ++s) {
    const bool held = rank[static_cast<std::size_t>(s)] < 2;
    CHECK(sources_of(text.held_out()).count("source " + std::to_string(s)) == (held ? 1 : 0));
    if (!held) left.push_back(s);
  }
  rank = Random(8).permutation(4);
  for (std::size_t i = 0; i < left.size(); ++i)
    CHECK(sources_of(text.validation()).count("source " + std::to_string(left[i])) == (rank[i] < 2 ? 1 : 0));
}

TEST_CASE("split: the seed alone decides what is held out, and every source can be") {
  const Pairs pairs = numbered_pairs(20, 1);
  const auto held_out = [&](std::uint64_t seed) -> Pairs { return split(pairs, 5, 0, seed).held_out(); };
  CHECK(held_out(3) == held_out(3));
  CHECK_FALSE(held_out(3) == held_out(4));

  std::map<std::string, int> times_held;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const SplitText text = split(pairs, 5, 0, seed);
    for (const SentencePair& pair : text.held_out()) ++times_held[pair.source];
  }
  // Each is held out 100 times on average with a standard deviation of 8.7.
  CHECK(times_held.size() == 20);
  for (const auto& [source, times] : times_held) CHECK((times > 55 && times < 145));
}

TEST_CASE("split: pairs with too many words on either side are left out, counted, and held back nowhere") {
  const Pairs pairs = {{"one two three", "un deux trois"},
                       {"one two  three four", "un"},
                       {"one", "un deux trois quatre"},
                       {"one", "un"}};
  SplitText text(std::make_unique<ListStream<SentencePair>>(pairs), {3, 0, 0, 1});
  CHECK(text.too_long() == 2);
  CHECK(text.size() == 2);
  CHECK(rest(text) == Pairs{{"one two three", "un deux trois"}, {"one", "un"}});

  const SplitText held(std::make_unique<ListStream<SentencePair>>(pairs), {3, 1, 0, 1});
  CHECK(held.held_out().size() + static_cast<std::size_t>(held.size()) == 2);
}

TEST_CASE("split: of a short text no more than a share is held out, but at least one sentence") {
  const auto held_out = [](Index sources, Index wanted, double share) {
    const SplitText text(std::make_unique<ListStream<SentencePair>>(numbered_pairs(sources, 2)),
                         {0, wanted, 0, 1, share});
    return text.held_out().size();
  };
  CHECK(held_out(50, 10, 0.1) == 2 * 5);
  CHECK(held_out(200, 10, 0.1) == 2 * 10);
  CHECK(held_out(3, 10, 0.1) == 2 * 1);
}

TEST_CASE("split: one that leaves nothing to train on is refused") {
  const Pairs pairs = numbered_pairs(4, 2);
  CHECK(split(pairs, 0, 0, 1).size() == 8);
  CHECK(split(pairs, 3, 0, 1).size() == 2);
  CHECK_THROWS_WITH(split(pairs, 4, 0, 1),
                    "split: the sentences held back must leave some to train on: 4 are wanted, there are 4 "
                    "distinct source sentences");
  CHECK_THROWS_AS(split(pairs, 2, 2, 1), std::invalid_argument);
  CHECK_THROWS_AS(split(pairs, -1, 0, 1), std::invalid_argument);
  CHECK_THROWS_WITH(SplitText(std::make_unique<ListStream<SentencePair>>(pairs), {1, 0, 0, 1}),
                    "split: some pairs must be left to train on: each of the 8 has more than 1 words");
  CHECK_THROWS_WITH(SplitText(std::make_unique<ListStream<SentencePair>>(Pairs()), {0, 0, 0, 1}),
                    "split: there must be pairs: there are none");
}

TEST_CASE("split: both ways, the pairs to train on come once more in the same order, turned round") {
  const Pairs pairs = numbered_pairs(10, 2);
  SplitOptions options{0, 3, 2, 1};
  SplitText once(std::make_unique<ListStream<SentencePair>>(pairs), options);
  options.both_ways = true;
  SplitText text(std::make_unique<ListStream<SentencePair>>(pairs), options);
  CHECK(text.size() == 2 * once.size());
  CHECK(text.held_out() == once.held_out());
  CHECK(text.validation() == once.validation());
  Pairs expected = rest(once);
  for (std::size_t i = 0, count = expected.size(); i < count; ++i)
    expected.push_back({expected[i].target, expected[i].source});
  CHECK(rest(text) == expected);
  CHECK(rest(text).empty());
  text.rewind();
  CHECK(rest(text) == expected);

  SplitText::AsWritten as_written = text.as_written();
  expected.resize(expected.size() / 2);
  CHECK(rest(as_written).empty());
  as_written.rewind();
  CHECK(rest(as_written) == expected);
  as_written.rewind();
  CHECK(rest(as_written) == expected);
}

TEST_CASE("split: both ways, a source that is held back is trained on in neither direction") {
  Pairs pairs = numbered_pairs(20, 1);
  for (int s = 0; s < 20; ++s)  // the mirror image of each pair
    pairs.push_back({"target " + std::to_string(s) + ".0", "source " + std::to_string(s)});
  SplitOptions options{0, 6, 4, 1};
  options.both_ways = true;
  SplitText text(std::make_unique<ListStream<SentencePair>>(pairs), options);
  const Pairs train = rest(text);
  std::set<std::string> kept = sources_of(text.held_out());
  for (const std::string& source : sources_of(text.validation())) kept.insert(source);
  REQUIRE(kept.size() == 10);
  Index not_turned = 0;
  for (const std::string& source : sources_of(train)) CHECK(kept.count(source) == 0);
  for (const SentencePair& pair : train) not_turned += kept.count(pair.target) > 0 ? 1 : 0;
  CHECK(not_turned > 0);  // they are trained on as they are written
  CHECK(text.size() == static_cast<Index>(train.size()));
  CHECK(train.size() == static_cast<std::size_t>(2 * (40 - 10) - not_turned));
}

TEST_CASE("split: sources that a model reads alike are held back together, and all others as without them") {
  const std::vector<std::pair<std::string, std::string>> alike = {
      {"l'ami", "l’ami"}, {"l'ami", "l'  ami"}, {"go on.", "go\u202Fon ."}, {"one two", "One TWO"}};
  for (const auto& [plain, odd] : alike) {
    INFO(odd);
    const bool lower_case = odd == "One TWO";
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Pairs pairs = numbered_pairs(10, 1);
      pairs.push_back({plain, "as it is usual"});
      pairs.push_back({odd, "as it is not"});
      const auto split_them = [&] {
        SplitOptions options{0, 3, 3, seed};
        options.lower_case = lower_case;
        return SplitText(std::make_unique<ListStream<SentencePair>>(pairs), options);
      };
      const SplitText text = split_them();
      const auto holds = [](const Pairs& set, const std::string& source) -> bool {
        return sources_of(set).count(source) > 0;
      };
      CHECK(holds(text.held_out(), plain) == holds(text.held_out(), odd));
      CHECK(holds(text.validation(), plain) == holds(text.validation(), odd));
      pairs.back().source = "a word of its own";  // in the place of the odd one
      const SplitText usual = split_them();
      for (int s = 0; s < 10; ++s) {
        const std::string source = "source " + std::to_string(s);
        CHECK(holds(text.held_out(), source) == holds(usual.held_out(), source));
        CHECK(holds(text.validation(), source) == holds(usual.validation(), source));
      }
    }
  }
}

TEST_CASE("split: capitals are other letters to a model that does not read lower case") {
  CHECK(as_it_is_read("Go on", false) != as_it_is_read("go on", false));
  CHECK(as_it_is_read("Go on", true) == as_it_is_read("go on", true));
}

TEST_CASE("split: one whose sources all read like one that is held back is refused") {
  SplitOptions options{0, 1, 0, 1};
  options.lower_case = true;
  CHECK_THROWS_WITH(
      SplitText(std::make_unique<ListStream<SentencePair>>(Pairs{{"go", "va"}, {"Go", "Va"}}), options),
      "split: the sentences held back must leave some to train on: of 2 pairs all are held back, or read "
      "like "
      "one that is");
}

TEST_CASE("split: both ways, a target that reads like a source that is held back is not turned round") {
  Pairs pairs = numbered_pairs(8, 1);
  for (int s = 0; s < 8; ++s) pairs.push_back({"other " + std::to_string(s), "SOURCE " + std::to_string(s)});
  SplitOptions options{0, 6, 0, 1};
  options.both_ways = options.lower_case = true;
  SplitText text(std::make_unique<ListStream<SentencePair>>(pairs), options);
  const std::set<std::string> kept = sources_of(text.held_out());
  const Pairs train = rest(text);
  int turned = 0;
  for (const SentencePair& pair : train) {
    if (pair.source.rfind("SOURCE ", 0) != 0) continue;
    CHECK(kept.count("source " + pair.source.substr(7)) == 0);
    ++turned;
  }
  CHECK(turned > 0);
  CHECK(text.size() == static_cast<Index>(train.size()));
  CHECK(text.size() < 2 * 10);
}
