#include <gradual/core/random.hpp>

#include "cases.hpp"

namespace gradual::experiments::data_test {

namespace {

constexpr std::int32_t no_word = TranslationBatch::nothing;

Answer words_of(const std::vector<TranslationBatch>& batches, Index source_words = 100,
                Index target_words = 100) {
  return asked(of_data(), "words differ", patient_with(batches, source_words, target_words)).value();
}

// One sentence of ten words on either side, of which so many are this one.
TranslationBatch with_words(std::size_t of_sources, std::size_t of_targets, std::int32_t id = 9) {
  std::vector<std::int32_t> source, target;
  for (std::size_t i = 0; i < 10; ++i) {
    source.push_back(i < of_sources ? id : static_cast<std::int32_t>(20 + i));
    target.push_back(i < of_targets ? id : static_cast<std::int32_t>(20 + i));
  }
  return batch_of({source}, {}, {target}, {target});
}

// Pairs of three words, so many to a batch: word s of a source is said as word s + 50.
struct Pairs {
  explicit Pairs(std::size_t count) : sources(count), targets(count) {
    Random random(7);
    for (std::size_t i = 0; i < count; ++i)
      for (int k = 0; k < 3; ++k) {
        const auto word = static_cast<std::int32_t>(4 + random.below(40));
        sources[i].push_back(word);
        targets[i].push_back(word + 50);
      }
  }
  // Each of these gets the target of the one twenty further on, and the last those of the first.
  Pairs& moved(std::size_t first, std::size_t last) {
    std::rotate(targets.begin() + static_cast<std::ptrdiff_t>(first),
                targets.begin() + static_cast<std::ptrdiff_t>(first + 20),
                targets.begin() + static_cast<std::ptrdiff_t>(last));
    return *this;
  }
  std::vector<TranslationBatch> batches(std::size_t rows = 8) const {
    std::vector<TranslationBatch> all;
    for (std::size_t i = 0; i < sources.size(); i += rows) {
      const auto some = [&](const Rows& from) {
        return Rows(from.begin() + static_cast<std::ptrdiff_t>(i),
                    from.begin() + static_cast<std::ptrdiff_t>(std::min(i + rows, from.size())));
      };
      all.push_back(batch_of(some(sources), {}, some(targets), some(targets)));
    }
    return all;
  }
  Rows sources, targets;
};

std::optional<Answer> belong(const std::vector<TranslationBatch>& batches) {
  return asked(of_data(), "pairs belong together", patient_with(batches, 100, 100));
}

std::optional<Answer> shifted(const Rows& input, const Rows& output) {
  return asked(of_data(), "target is shifted", patient_with({batch_of({}, {}, input, output)}, 0, 10));
}

}  // namespace

TEST_CASE("data: one token in six of ten places says too little") {
  const Answer sound = words_of({with_words(5, 4)});
  CHECK(sound.evidence ==
        "token 9 stands in 50 % of the places of sources; token 9 stands in 40 % of the places of targets");
  CHECK(sound.cause.empty());
  CHECK(words_of({with_words(6, 4)}).cause ==
        "Most words of the sources are one and the same token, 9: they do not tell one sentence from "
        "another.");
  CHECK(words_of({with_words(4, 6)}).cause ==
        "Most words of the targets are one and the same token, 9: they do not tell one sentence from "
        "another.");
  CHECK(words_of({with_words(7, 8)}).evidence == "token 9 stands in 70 % of the places of sources");
  // Of several that are as common, the first is named.
  CHECK_THAT(words_of({with_words(0, 1)}).evidence,
             Contains("token 20 stands in 10 % of the places of sources; token 9 stands in 10 %"));
  // Eight batches count, each word of them, and nothing behind their ends.
  std::vector<TranslationBatch> nine(9, with_words(0, 0));
  nine[8] = with_words(10, 10);
  CHECK_THAT(words_of(nine).evidence, Contains("token 20 stands in 10 % of the places of sources"));
  nine[7] = with_words(10, 10);
  CHECK_THAT(words_of(nine).evidence, Contains("token 9 stands in 13 % of the places of sources"));
  const TranslationBatch padded =
      batch_of({{5, 6, 0, 0}, {6, 7, 8, 5}}, {2, 4}, {{1, 5}, {1, 6}}, {{5, no_word}, {6, 2}});
  CHECK(words_of({padded}).evidence ==
        "token 5 stands in 33 % of the places of sources; token 2 stands in 33 % of the places of targets");
}

TEST_CASE("data: three unknown words of ten are too many, where there are two sides") {
  CHECK(words_of({with_words(3, 3, 3)}).cause.empty());
  const char* const unknown =
      "are one and the same token, 3: the unknown word. They are looked up in another vocabulary, or it has "
      "too few words.";
  CHECK(words_of({with_words(4, 3, 3)}).cause == std::string("Many words of the sources ") + unknown);
  CHECK(words_of({with_words(3, 4, 3)}).cause == std::string("Many words of the targets ") + unknown);
  CHECK(words_of({with_words(6, 3, 3)}).cause == std::string("Most words of the sources ") + unknown);
  // The unknown word is told before one that is as common.
  const std::vector<std::int32_t> row{3, 3, 3, 3, 5, 5, 5, 5, 5, 6};
  CHECK_THAT(words_of({batch_of({row}, {}, {{1}}, {{5}})}).cause, Contains("Many words of the sources"));
  const TranslationBatch of_one_side =
      batch_of({}, {}, with_words(4, 4, 3).output.size() ? Rows{row} : Rows(), {row});
  CHECK(words_of({of_one_side}, 0).cause.empty());
  CHECK(words_of({{{ids({row}), {}}, {}, labels({1})}}).cause.empty());
  CHECK_THAT(words_of({{{ids({row}), {}}, {}, labels({1})}}).evidence, !Contains("targets"));
}

TEST_CASE("data: pairs that belong together go together better than exchanged ones") {
  const Answer sound = belong(Pairs(40).batches()).value();
  CHECK(sound.cause.empty());
  CHECK(sound.evidence ==
        "of 39 exchanges of targets, 0 go with the sources better than the 40 pairs as they are");
  CHECK_FALSE(belong(Pairs(31).batches()).has_value());
  CHECK(belong(Pairs(32).batches()).has_value());
  CHECK(belong(Pairs(40).moved(0, 40).batches()).value().cause ==
        "Sources and targets do not belong together: the pairs are not aligned.");
  // A pair that comes twice is counted once.
  std::vector<TranslationBatch> twice = Pairs(32).batches();
  twice.push_back(twice.front());
  CHECK_THAT(belong(twice).value().evidence, Contains("than the 32 pairs as they are"));
  CHECK_FALSE(asked(of_data(), "pairs belong together", patient_with(twice, 0, 100)).has_value());
}

TEST_CASE("data: of 39 exchanges, those that go better are counted") {
  // Each of six words goes with each of six once, and every other order makes some of them go together.
  Rows sources, targets;
  for (std::int32_t i = 0; i < 36; ++i) {
    sources.push_back({i / 6, 20 + i});
    targets.push_back({i % 6, 20 + i});
  }
  const Answer all = belong({batch_of(sources, {}, targets, targets)}).value();
  CHECK(all.evidence ==
        "of 39 exchanges of targets, 39 go with the sources better than the 36 pairs as they are");
  // Targets change places with those of their length: here the first two alone may, which makes them fit.
  std::vector<TranslationBatch> batches;
  for (std::int32_t i = 0; i < 32; ++i) {
    const std::int32_t source = i == 2 ? 40 : i == 3 ? 41 : i, target = i == 0 || i == 3 ? 61 : 60;
    std::vector<std::int32_t> words(static_cast<std::size_t>(std::max(1, i)), i < 4 ? target : 62 + i);
    batches.push_back(batch_of({{i == 0 ? 40 : i == 1 ? 41 : source}}, {}, {words}, {words}));
  }
  const Answer some = belong(batches).value();
  CHECK_FALSE(some.cause.empty());
  CHECK_THAT(some.evidence, !Contains(", 39 go"));
}

TEST_CASE("data: as many pairs as 384, of 64 batches at most") {
  const auto count = [](std::size_t pairs, std::size_t rows) {
    return belong(Pairs(pairs).batches(rows)).value().evidence;
  };
  CHECK_THAT(count(400, 8), Contains("than the 384 pairs"));
  CHECK_THAT(count(400, 10), Contains("than the 390 pairs"));
  CHECK_THAT(count(400, 1), Contains("than the 64 pairs"));
}

TEST_CASE("data: a quarter that got out of step is named") {
  for (const std::size_t quarter : {0, 1, 2, 3}) {
    const Answer found = belong(Pairs(192).moved(48 * quarter, 48 * (quarter + 1)).batches()).value();
    CHECK(found.cause == "Sources and targets do not belong together everywhere: in quarter " +
                             std::to_string(quarter + 1) + " of the first 192 pairs they are not aligned.");
    CHECK_THAT(found.evidence, Contains("; in quarter " + std::to_string(quarter + 1) + " of these, "));
  }
  CHECK(belong(Pairs(192).batches()).value().cause.empty());
  CHECK(belong(Pairs(191).moved(47, 95).batches()).value().cause.empty());  // too few to tell
  CHECK_THAT(belong(Pairs(192).moved(0, 192).batches()).value().cause, Contains("do not belong together:"));
}

TEST_CASE("data: the input one place on is the output") {
  CHECK(shifted({{1, 5, 6}, {1, 7, 0}}, {{5, 6, 2}, {7, 2, no_word}}).value().evidence ==
        "the input one place on is the output in 3 of 3 places");
  CHECK(shifted({{1, 5, 6}}, {{5, 6, 2}}).value().cause.empty());
  const Answer same = shifted({{5, 6, 2}}, {{5, 6, 2}}).value();
  CHECK(same.evidence == "the input one place on is the output in 0 of 2 places");
  CHECK(same.cause == "The target is not shifted: the input holds the very word that the model must say.");
  const Answer other = shifted({{1, 5, 7}}, {{5, 6, 2}}).value();
  CHECK(other.evidence == "the input one place on is the output in 1 of 2 places");
  CHECK(other.cause == "Input and output do not fit: the input one place on is not the output.");
  CHECK_FALSE(shifted({{1}, {1}}, {{5}, {6}}).has_value());
  CHECK_FALSE(shifted({}, {{5, 2}}).has_value());
}

}  // namespace gradual::experiments::data_test
