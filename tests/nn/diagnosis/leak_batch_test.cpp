#include <gradual/nn/diagnosis/leak_batch.hpp>

#include <cmath>
#include <limits>

#include "support/catch.hpp"

namespace gradual::leak_batch {

namespace {

using Kind = Leak::Kind;

LeakSubject of_words(Index source, Index target, Index max_length = 0) {
  LeakSubject subject;
  subject.source_vocabulary = source;
  subject.target_vocabulary = target;
  subject.max_length = max_length;
  return subject;
}

// Nine rows of seven words of a source and six of a target.
Batch nine_rows() { return random_batch(of_words(9, 8), 7, Random(1)); }

// Two rows: the first keeps two of three words of its target, the second all; sources of five.
Batch two_rows(Role second) { return {5, 3, {{Role::prefix, 2, 4}, {second, 3, 5}}, Ids(10, 1), Ids(6, 1)}; }

Tensor zeros_but(const Shape& shape, const std::vector<std::pair<Index, Real>>& others) {
  Tensor x = Tensor::zeros(shape);
  for (const auto& [place, value] : others) x.mutable_data()[place] = value;
  return x;
}

// Where a result of zeros that changes at this one number did so although it must not: sentence, place.
std::pair<Index, Index> changed(Kind kind, const Shape& shape, Index number, Role second = Role::kept) {
  const auto found =
      change(kind, two_rows(second), Tensor::zeros(shape), zeros_but(shape, {{number, Real(0.5)}}));
  if (!found) return {-9, -9};
  CHECK(found->size == 0.5);
  return {found->sentence, found->place};
}
const std::pair<Index, Index> nowhere{-9, -9};

std::string layout(const Shape& shape) {
  const auto found = layout_of(shape, nine_rows());
  if (!found) return "none";
  const char* of = found->of == Layout::Of::sentences       ? "sentences "
                   : found->of == Layout::Of::target_places ? "targets "
                                                            : "sources ";
  return of + std::to_string(found->places) + "×" + std::to_string(found->width) +
         (found->places_first ? " first" : "");
}

}  // namespace

TEST_CASE("leak batch: a row for each prefix, two that keep nothing and two that keep all") {
  const Batch batch = nine_rows();
  CHECK(batch.sources == 7);
  CHECK(batch.targets == 6);
  REQUIRE(batch.size() == 9);
  for (Index b = 0; b < 9; ++b) {
    CHECK((batch[b].role == (b < 5 ? Role::prefix : b < 7 ? Role::replaced : Role::kept)));
    CHECK(batch[b].prefix == (b < 5 ? b + 1 : b < 7 ? 0 : 6));
    CHECK(batch[b].length >= (b == 0 ? 7 : 3));
    CHECK(batch[b].length <= (b == 0 ? 7 : 5));
  }
  CHECK(batch.source.size() == 63);
  CHECK(batch.target.size() == 54);
  CHECK(*std::max_element(batch.source.begin(), batch.source.end()) == 8);
  CHECK(*std::max_element(batch.target.begin(), batch.target.end()) == 7);
  CHECK(*std::min_element(batch.source.begin(), batch.source.end()) == 0);
  const Batch of_sources = random_batch(of_words(2, 0), 13, Random(1)),
              of_targets = random_batch(of_words(0, 2), 13, Random(1));
  CHECK((of_sources.sources == 13 && of_sources.targets == 0 && of_sources.size() == 8));
  CHECK((of_sources[3].role == Role::replaced && of_sources[4].role == Role::kept));
  CHECK((of_targets.sources == 0 && of_targets.targets == 12 && of_targets.size() == 15));
  // All lengths from 6 to 10 come up in some batch.
  Index shortest = 99, longest = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Batch some = random_batch(of_words(2, 0), 13, Random(seed));
    for (Index b = 1; b < 8; ++b) {
      shortest = std::min(shortest, some[b].length);
      longest = std::max(longest, some[b].length);
    }
  }
  CHECK((shortest == 6 && longest == 10));
  CHECK(random_batch(of_words(2, 2, 5), 7, Random(1)).sources == 5);
  CHECK(random_batch(of_words(2, 2, 1), 7, Random(1)).sources == 1);
  CHECK(random_batch(of_words(2, 2, 9), 7, Random(1)).sources == 7);
  CHECK(random_batch(of_words(1, 1), 7, Random(1)).targets == 6);  // one word is not none
}

TEST_CASE("leak batch: other words stand behind each prefix, and in the sources of those that keep nothing") {
  const Batch batch = nine_rows(), now = with_other_words(batch, of_words(9, 8), Random(2)),
              padded = with_other_padding(batch, of_words(9, 8), Random(2));
  for (std::size_t i = 0; i < 54; ++i) {
    const Index b = static_cast<Index>(i) / 6, t = static_cast<Index>(i) % 6;
    CHECK((now.target[i] == batch.target[i]) == (t < batch[b].prefix));
    CHECK((now.target[i] >= 0 && now.target[i] < 8));
  }
  for (std::size_t i = 0; i < 63; ++i) {
    const Index b = static_cast<Index>(i) / 7, s = static_cast<Index>(i) % 7;
    CHECK((now.source[i] == batch.source[i]) == (batch[b].role != Role::replaced));
    CHECK((padded.source[i] == batch.source[i]) == (s < batch[b].length));
    CHECK((padded.source[i] >= 0 && padded.source[i] < 9));
  }
  CHECK(padded.target == batch.target);
  // Of two words, the other one; of three, either of the others.
  const Batch of_two = random_batch(of_words(0, 2), 7, Random(1)),
              other = with_other_words(of_two, of_words(0, 2), Random(1));
  for (std::size_t i = 30; i < 42; ++i) CHECK(other.target[i] == 1 - of_two.target[i]);
  const Batch of_three = random_batch(of_words(0, 3), 7, Random(1)),
              others = with_other_words(of_three, of_words(0, 3), Random(1));
  std::vector<bool> further(3);
  for (std::size_t i = 30; i < 42; ++i)
    further[static_cast<std::size_t>((others.target[i] - of_three.target[i] + 3) % 3)] = true;
  CHECK(further == std::vector<bool>{false, true, true});
}

TEST_CASE("leak batch: one sentence by itself has its own words") {
  const Batch batch = nine_rows(), one = alone(batch, 2);
  REQUIRE(one.size() == 1);
  CHECK((one[0].prefix == 3 && one.sources == 7 && one.targets == 6));
  CHECK(one.source == Ids(batch.source.begin() + 14, batch.source.begin() + 21));
  CHECK(one.target == Ids(batch.target.begin() + 12, batch.target.begin() + 18));
}

TEST_CASE("leak batch: a shape is of sentences, or of the places of targets or sources") {
  CHECK(layout({9, 6, 4}) == "targets 6×4");
  CHECK(layout({9, 6}) == "targets 6×1");
  CHECK(layout({6, 9, 4}) == "targets 6×4 first");
  CHECK(layout({54, 4}) == "targets 6×4");
  CHECK(layout({54}) == "targets 6×1");
  CHECK(layout({9, 7, 4, 2}) == "sources 7×8");
  CHECK(layout({7, 9}) == "sources 7×1 first");
  CHECK(layout({63, 2}) == "sources 7×2");
  CHECK(layout({9}) == "sentences 1×1");
  CHECK(layout({9, 5}) == "sentences 1×5");
  CHECK(layout({9, 2, 2}) == "sentences 1×4");
  // A second axis of places tells neither.
  for (const Shape& shape : std::vector<Shape>{{},
                                               {5},
                                               {6},
                                               {9, 6, 6},
                                               {9, 6, 7},
                                               {9, 2, 6},
                                               {9, 2, 7},
                                               {54, 6},
                                               {54, 7},
                                               {6, 9, 7},
                                               {5, 6, 4},
                                               {9, 4, 7, 2}})
    CHECK(layout(shape) == "none");
  const Batch of_targets = random_batch(of_words(0, 8), 7, Random(1));
  CHECK_FALSE(layout_of({9, 0}, of_targets)->of == Layout::Of::source_places);
}

TEST_CASE("leak batch: what must not change is what comes before other words") {
  const auto later = [](const Shape& shape, Index number) {
    return changed(Kind::later_words, shape, number);
  };
  // [B, T, 2]: the first row keeps two of three places, the second is none that keeps a prefix.
  CHECK(later({2, 3, 2}, 0) == std::pair<Index, Index>{0, 0});
  CHECK(later({2, 3, 2}, 3) == std::pair<Index, Index>{0, 1});
  for (const Index number : {4, 5, 6, 11}) CHECK(later({2, 3, 2}, number) == nowhere);
  CHECK(later({3, 2, 2}, 4) == std::pair<Index, Index>{0, 1});  // places first
  CHECK(later({3, 2, 2}, 6) == nowhere);
  CHECK(later({2, 5}, 3) == std::pair<Index, Index>{0, 3});  // sources, up to their length
  CHECK(later({2, 5}, 4) == nowhere);
  CHECK(later({2, 4}, 0) == nowhere);  // a result for a sentence sees all of its words
}

TEST_CASE("leak batch: padding and other sentences must not change what is kept") {
  const auto padding = [](const Shape& shape, Index number) { return changed(Kind::padding, shape, number); };
  CHECK(padding({2, 3}, 2) == std::pair<Index, Index>{0, 2});
  CHECK(padding({2, 5}, 3) == std::pair<Index, Index>{0, 3});
  CHECK(padding({2, 5}, 4) == nowhere);
  CHECK(padding({2, 5}, 9) == std::pair<Index, Index>{1, 4});
  CHECK(padding({2, 4}, 7) == std::pair<Index, Index>{1, -1});
  const auto others = [](const Shape& shape, Index number, Role second = Role::kept) {
    return changed(Kind::other_sentences, shape, number, second);
  };
  CHECK(others({2, 3}, 3) == std::pair<Index, Index>{1, 0});
  CHECK(others({2, 3}, 2) == nowhere);
  CHECK(others({2, 3}, 3, Role::replaced) == nowhere);
  CHECK(others({2, 4}, 4) == std::pair<Index, Index>{1, -1});
}

TEST_CASE("leak batch: the first change counts, the largest is its size, and NaN is no change from NaN") {
  constexpr Real nan = std::numeric_limits<Real>::quiet_NaN();
  const auto of_numbers = [](const std::vector<std::pair<Index, Real>>& before,
                             const std::vector<std::pair<Index, Real>>& now) {
    return change(Kind::padding, two_rows(Role::kept), zeros_but({2, 3, 2}, before),
                  zeros_but({2, 3, 2}, now));
  };
  const auto several = of_numbers({{3, 1}}, {{2, Real(0.25)}, {3, Real(0.5)}, {9, -2}, {11, 1}}).value();
  CHECK((several.sentence == 0 && several.place == 1));
  CHECK(several.size == 2);
  CHECK_FALSE(of_numbers({{3, nan}}, {{3, nan}}).has_value());
  CHECK(of_numbers({{3, nan}}, {{3, 1}})->size == HUGE_VAL);
  CHECK(of_numbers({}, {{3, nan}})->size == HUGE_VAL);
  CHECK_FALSE(of_numbers({}, {}).has_value());
  CHECK_FALSE(change(Kind::padding, two_rows(Role::kept), Tensor::zeros({2, 3}), Tensor::ones({2, 3, 1}))
                  .has_value());
  CHECK_FALSE(change(Kind::padding, two_rows(Role::kept), Tensor::zeros({7}), Tensor::ones({7})).has_value());
}

}  // namespace gradual::leak_batch
