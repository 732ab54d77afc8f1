#include <gradual/nn/seq2seq/batches.hpp>

#include <algorithm>

#include "support/catch.hpp"

using namespace gradual;

namespace {

std::vector<EncodedPair> pairs_of(Index count) {
  Random random(3);
  std::vector<EncodedPair> pairs;
  for (Index i = 0; i < count; ++i) {
    pairs.push_back({std::vector<std::int32_t>(static_cast<std::size_t>(1 + random.below(12)), 5),
                     std::vector<std::int32_t>(static_cast<std::size_t>(1 + random.below(12)), 6)});
  }
  return pairs;
}

std::vector<std::int32_t> values(const Indices& indices) { return {indices.begin(), indices.end()}; }

}  // namespace

TEST_CASE("batches: sources end with the end token, targets are shifted by one place, and padding fills up") {
  const std::vector<EncodedPair> pairs = {{{7, 8}, {9}}, {{4}, {5, 6}}};
  const TranslationBatch batch = make_batch(pairs, {0, 1});
  CHECK(values(batch.source.ids) == std::vector<std::int32_t>{7, 8, 2, 4, 2, 0});
  CHECK(values(batch.source.lengths) == std::vector<std::int32_t>{3, 2});
  CHECK(values(batch.input) == std::vector<std::int32_t>{1, 9, 0, 1, 5, 6});
  CHECK(values(batch.output) == std::vector<std::int32_t>{9, 2, TranslationBatch::nothing, 5, 6, 2});
  CHECK(batch.words() == 5);
}

TEST_CASE("batches: every pair comes once, and no batch holds more tokens than allowed") {
  const std::vector<EncodedPair> pairs = pairs_of(500);
  std::vector<Index> seen;
  for (const std::vector<Index>& rows : batches_of_like_length(pairs, 100, Random(1))) {
    const TranslationBatch batch = make_batch(pairs, rows);
    CHECK(batch.source.ids.size() <= 100);
    CHECK(batch.output.size() <= 100);
    seen.insert(seen.end(), rows.begin(), rows.end());
  }
  std::sort(seen.begin(), seen.end());
  REQUIRE(seen.size() == 500);
  for (Index i = 0; i < 500; ++i) CHECK(seen[static_cast<std::size_t>(i)] == i);
}

TEST_CASE("batches: the same stream gives the same batches, another one others") {
  const std::vector<EncodedPair> pairs = pairs_of(100);
  CHECK(batches_of_like_length(pairs, 60, Random(1)) == batches_of_like_length(pairs, 60, Random(1)));
  CHECK(batches_of_like_length(pairs, 60, Random(1)) != batches_of_like_length(pairs, 60, Random(2)));
}

TEST_CASE("encoded pairs: what is put into one array comes back, and makes the same batches") {
  const std::vector<EncodedPair> pairs = pairs_of(300);
  EncodedPairs packed;
  CHECK(packed.empty());
  for (const EncodedPair& pair : pairs) packed.add(pair);
  REQUIRE(packed.size() == 300);
  for (Index row : {0, 1, 150, 299}) {
    const EncodedPair& pair = pairs[static_cast<std::size_t>(row)];
    CHECK(packed[row].source == pair.source);
    CHECK(packed[row].target == pair.target);
    CHECK(packed.source_length(row) == static_cast<Index>(pair.source.size()));
    CHECK(packed.target_length(row) == static_cast<Index>(pair.target.size()));
    CHECK(tokens_in_batch(pair) == 1 + std::max(packed.source_length(row), packed.target_length(row)));
  }
  const auto batches = batches_of_like_length(packed, 100, Random(1));
  CHECK(batches == batches_of_like_length(pairs, 100, Random(1)));
  CHECK(values(make_batch(packed, batches[2]).output) == values(make_batch(pairs, batches[2]).output));
}

TEST_CASE("batches: no pairs, or a pair that fits no batch, is an error") {
  CHECK_THROWS_WITH(batches_of_like_length(EncodedPairs(), 10, Random(1)),
                    "batches: there must be at least one pair");
  const std::vector<EncodedPair> pairs = {{{4, 5, 6, 7}, {8}}};
  CHECK_THROWS_WITH(batches_of_like_length(pairs, 4, Random(1)),
                    "batches: each pair must fit a batch: a pair has 5 tokens, a batch 4");
}

TEST_CASE("batches: their order is shuffled, and what stands together, and both differ between streams") {
  const std::vector<EncodedPair> pairs = pairs_of(300);
  const auto lengths = [&](std::uint64_t seed) {
    std::vector<Index> result;
    for (const std::vector<Index>& rows : batches_of_like_length(pairs, 100, Random(seed)))
      result.push_back(tokens_in_batch(pairs[static_cast<std::size_t>(rows.front())]));
    return result;
  };
  const std::vector<Index> one = lengths(1), other = lengths(2);
  CHECK_FALSE(std::is_sorted(one.begin(), one.end()));
  CHECK_FALSE(std::is_sorted(one.rbegin(), one.rend()));
  CHECK(one != other);
  CHECK(one == lengths(1));
  // Ten pairs of one length, five batches of two.
  const std::vector<EncodedPair> alike(10, EncodedPair{{5, 6}, {7, 8}});
  const auto companies = [&](std::uint64_t seed) {
    std::vector<std::vector<Index>> result = batches_of_like_length(alike, 6, Random(seed));
    for (std::vector<Index>& rows : result) std::sort(rows.begin(), rows.end());
    std::sort(result.begin(), result.end());
    return result;
  };
  CHECK(companies(1).size() == 5);
  CHECK(companies(1) != std::vector<std::vector<Index>>{{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}});
  CHECK(companies(1) != companies(2));
}
