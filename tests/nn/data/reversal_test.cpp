#include <gradual/nn/data/reversal.hpp>

#include <algorithm>
#include <map>
#include <set>

#include "support/catch.hpp"

using namespace gradual;
using Sequence = std::vector<std::int32_t>;

TEST_CASE("reversal: the target is the source backwards, of all words and all lengths") {
  const ReversalTask task(50, 25);
  CHECK(task.vocabulary_size() == 54);
  Random random(1);
  std::map<std::int32_t, int> words;
  std::map<std::size_t, int> lengths;
  for (int i = 0; i < 5000; ++i) {
    const EncodedPair pair = task.draw(random);
    CHECK(Sequence(pair.target.rbegin(), pair.target.rend()) == pair.source);
    ++lengths[pair.source.size()];
    for (std::int32_t word : pair.source) ++words[word];
  }
  CHECK(words.size() == 50);
  CHECK(words.begin()->first == 4);  // behind <pad>, <bos>, <eos>, <unk>
  REQUIRE(lengths.size() == 25);
  for (const auto& [length, times] : lengths) CHECK(times == Approx(200).margin(70));
}

TEST_CASE("reversal: no unseen sequence is ever drawn for training, and none comes twice") {
  const ReversalTask task(3, 4);  // 3 + 9 + 27 + 81 sequences: all are drawn
  Random random(2);
  std::set<Sequence> drawn;
  for (int i = 0; i < 20000; ++i) drawn.insert(task.draw(random).source);
  const auto unseen = task.unseen(120 - static_cast<Index>(drawn.size()), random);
  std::set<Sequence> sources;
  for (const EncodedPair& pair : unseen) {
    CHECK(drawn.count(pair.source) == 0);
    CHECK(sources.insert(pair.source).second);
    CHECK(Sequence(pair.target.rbegin(), pair.target.rend()) == pair.source);
  }
  CHECK(sources.size() + drawn.size() == 120);
  CHECK(sources.size() >= 4);  // a tenth of 120 is 12
  CHECK(std::is_sorted(unseen.begin(), unseen.end(), [](const EncodedPair& a, const EncodedPair& b) {
    return a.source.size() < b.source.size();
  }));
}

TEST_CASE("reversal: the same seed gives the same sequences") {
  const ReversalTask task(50, 25);
  CHECK(task.draw(Random(3)).source == task.draw(Random(3)).source);
  CHECK(task.unseen(50, Random(3))[20].source == task.unseen(50, Random(3))[20].source);
  CHECK(task.unseen(50, Random(3))[20].source != task.unseen(50, Random(4))[20].source);
}

TEST_CASE("reversal: too few words or places are refused") {
  CHECK_THROWS_WITH(ReversalTask(0, 5),
                    "reversal: words and length must be positive: words is 0, the longest sequence has 5");
  CHECK_THROWS_WITH(
      ReversalTask(2, 2).unseen(10, Random(1)),
      Contains("enough unseen sequences: wanted 10, found ") && Contains("of 2 words and up to 2"));
}
