// Searches and scorings that are called off between two words.
#include <stdexcept>

#include <gradual/nn/decoding/beam_search.hpp>
#include <gradual/nn/decoding/greedy.hpp>
#include <gradual/nn/decoding/sample.hpp>
#include <gradual/nn/decoding/score.hpp>
#include <gradual/nn/inspect/explain.hpp>
#include <gradual/nn/transformer/config.hpp>

#include "nn/decoding/table_model.hpp"
#include "support/catch.hpp"

using namespace gradual;

namespace {

struct CalledOff : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// It writes word 3 for ever.
TableModel endless_model() {
  return TableModel([](std::int32_t, const std::vector<std::int32_t>&) -> std::vector<double> {
    return {0.1, 0.1, 0.0, 0.8};
  });
}

// Lets so many words be looked for, and counts them.
std::function<void()> let(int most, int& words) {
  words = 0;
  return [most, &words] {
    if (words == most) throw CalledOff("enough");
    ++words;
  };
}

}  // namespace

TEST_CASE("decoding: what is called before each word can end a search, and a scoring") {
  const TableModel model = endless_model();
  const SourceBatch source = one_word_sentences({1, 1});
  int words = 0;
  BeamOptions options;
  options.max_length = 10;
  options.before_word = let(4, words);
  CHECK_THROWS_AS(beam_search(model, source, options), CalledOff);
  CHECK(words == 4);
  options.before_word = let(4, words);
  CHECK_THROWS_AS(greedy(model, source, options), CalledOff);
  CHECK(words == 4);
  options.before_word = let(4, words);
  CHECK_THROWS_AS(sample(model, source, options, {}, Random(1)), CalledOff);
  CHECK(words == 4);
  ScoringOptions scoring;
  scoring.before_word = let(2, words);
  CHECK_THROWS_AS(score(model, source, {{3, 3, 3}, {3}}, scoring), CalledOff);
  CHECK(words == 2);
  scoring.before_word = let(4, words);
  CHECK(score(model, source, {{3, 3, 3}, {3}}, scoring).size() == 2);
  CHECK(words == 4);
}

TEST_CASE("decoding: an explanation can be called off in its search, in its scoring and between its texts") {
  TransformerConfig config;
  config.width = config.feed_forward = 8;
  config.heads = 2;
  const Language language{Tokenizer(), Vocabulary::build({{"a", "b"}})};
  const Translator translator(config, language, language, Random(5));
  BeamOptions options;
  options.max_length = 6;
  int words = 0;
  options.before_word = let(1000, words);
  explain(translator, "a b", options);
  const int all = words, searching = [&] {
    options.before_word = let(1000, words);
    translator.search({"a b"}, options);
    return words;
  }();
  CHECK(searching < all);
  for (const int most : {0, searching - 1, searching, all - 1}) {
    options.before_word = let(most, words);
    CHECK_THROWS_AS(explain(translator, "a b", options), CalledOff);
  }
  options.beam_size = 3;
  const auto asked = [&](Index texts) {
    options.n_best = texts;
    options.before_word = let(1000, words);
    explain(translator, "a b", options);
    return words;
  };
  CHECK(asked(3) == asked(1) + 2);
}
