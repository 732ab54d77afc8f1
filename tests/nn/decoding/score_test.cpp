#include <gradual/nn/decoding/score.hpp>

#include <cmath>
#include <limits>

#include <gradual/nn/decoding/beam_search.hpp>
#include <gradual/nn/decoding/greedy.hpp>

#include "nn/decoding/table_model.hpp"
#include "support/catch.hpp"

using namespace gradual;

namespace {

using Words = std::vector<std::int32_t>;

// Words: 0 padding, 1 begin, 2 end, 3 and 4 real ones. What was said last is likely again.
TableModel echo() {
  return TableModel([](std::int32_t, const Words& prefix) -> std::vector<double> {
    if (prefix.back() == 3) return {0.02, 0.03, 0.15, 0.5, 0.3};
    if (prefix.back() == 4) return {0.1, 0.05, 0.05, 0.1, 0.7};
    return {0, 0, 0.1, 0.6, 0.3};
  });
}

}  // namespace

TEST_CASE("score: each word has its log-probability after the words before it") {
  const auto scored = score(echo(), one_word_sentences({5, 5, 5}), {{3, 4}, {}, {4, 4, 4}});
  REQUIRE(scored.size() == 3);
  REQUIRE(scored[0].words.size() == 3);
  CHECK(scored[0].words[0].token == 3);
  CHECK(scored[0].words[1].token == 4);
  CHECK(scored[0].words[2].token == 2);
  CHECK(scored[0].words[0].log_probability == Approx(std::log(0.6)).epsilon(1e-5));
  CHECK(scored[0].words[1].log_probability == Approx(std::log(0.3)).epsilon(1e-5));
  CHECK(scored[0].words[2].log_probability == Approx(std::log(0.05)).epsilon(1e-5));
  CHECK(scored[0].log_probability == Approx(std::log(0.6 * 0.3 * 0.05)).epsilon(1e-5));
  CHECK(scored[0].words[0].rivals.empty());
  CHECK(scored[1].words.size() == 1);
  CHECK(scored[1].log_probability == Approx(std::log(0.1)).epsilon(1e-5));
  CHECK(scored[2].log_probability == Approx(std::log(0.3 * 0.7 * 0.7 * 0.05)).epsilon(1e-5));
}

TEST_CASE("score: rivals are the likeliest other words, with their probabilities") {
  ScoringOptions options;
  options.rivals = 2;
  const auto scored = score(echo(), one_word_sentences({5}), {{4, 3}}, options);
  const auto& words = scored[0].words;
  // 4 is the second choice, 3 after 4 ties for the second, the end after 3 is the third.
  const std::vector<std::vector<TokenProbability>> expected = {
      {{3, 0.6}, {2, 0.1}}, {{4, 0.7}, {0, 0.1}}, {{3, 0.5}, {4, 0.3}}};
  REQUIRE(words.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    REQUIRE(words[i].rivals.size() == 2);
    for (std::size_t j = 0; j < 2; ++j) {
      CHECK(words[i].rivals[j].token == expected[i][j].token);
      CHECK(words[i].rivals[j].probability == Approx(expected[i][j].probability).epsilon(1e-5));
    }
  }
}

TEST_CASE("score: there are no more rivals than other words, however many are asked for") {
  ScoringOptions options;
  for (const Index rivals : {Index(99), std::numeric_limits<Index>::max()}) {
    options.rivals = rivals;
    // Of three words with any probability two are not the one that was said.
    CHECK(score(echo(), one_word_sentences({5}), {{3}}, options)[0].words[0].rivals.size() == 2);
    CHECK(score(echo(), one_word_sentences({5}), {{3}}, options)[0].words[1].rivals.size() == 4);
  }
}

TEST_CASE("score: without an end token only the words count") {
  ScoringOptions options;
  options.end = -1;
  const auto scored = score(echo(), one_word_sentences({5, 5}), {{}, {3}}, options);
  CHECK(scored[0].words.empty());
  CHECK(scored[0].log_probability == 0);
  CHECK(scored[1].log_probability == Approx(std::log(0.6)).epsilon(1e-5));
}

TEST_CASE("score: what the searches find scores as they say") {
  const Transformer model = small_transformer(12, 5, 2);
  const SourceBatch batch = random_sentences({7, 3, 5, 1, 6}, 12, 8);
  DecodingOptions options;
  options.max_length = 10;
  const auto check = [&](const std::vector<Hypothesis>& found) {
    std::vector<Words> translations;
    for (const Hypothesis& hypothesis : found) translations.push_back(hypothesis.tokens);
    ScoringOptions without_end;
    without_end.end = -1;
    const auto ended = score(model, batch, translations),
               cut = score(model, batch, translations, without_end);
    for (std::size_t b = 0; b < found.size(); ++b) {
      const double scored = found[b].finished ? ended[b].log_probability : cut[b].log_probability;
      CHECK(found[b].log_probability == Approx(scored).epsilon(1e-4).margin(1e-5));
    }
  };
  check(greedy(model, batch, options));
  BeamOptions beam;
  beam.max_length = 10;
  std::vector<Hypothesis> best;
  for (const auto& found : beam_search(model, batch, beam)) best.push_back(found[0]);
  check(best);
}

TEST_CASE("score: a transformer's word scores are those of passes over the whole prefix") {
  const Transformer model = small_transformer(12, 6, 2);
  const SourceBatch batch = random_sentences({4, 6}, 12, 2);
  const std::vector<Words> translations = {{5, 9, 4, 11}, {7}};
  const auto scored = score(model, batch, translations);
  for (Index b = 0; b < 2; ++b) {
    Words prefix = {1};
    for (const ScoredWord& word : scored[static_cast<std::size_t>(b)].words) {
      const auto expected = next_log_probabilities(model, only(batch, b), prefix);
      CHECK(word.log_probability ==
            Approx(expected[static_cast<std::size_t>(word.token)]).epsilon(1e-4).margin(1e-4));
      prefix.push_back(word.token);
    }
    CHECK(prefix.size() == translations[static_cast<std::size_t>(b)].size() + 2);
  }
}

TEST_CASE("score: no sentences have no scores") {
  CHECK(score(echo(), {Indices({0, 3}, {}), Indices(Shape{0}, {})}, {}).empty());
}

TEST_CASE("score: what does not fit is refused") {
  CHECK_THROWS_WITH(score(echo(), one_word_sentences({5, 5}), {{3}}),
                    "score: there must be one translation for each sentence: 2 sentences, 1 translations");
  CHECK_THROWS_WITH(score(echo(), one_word_sentences({5, 5}), {{3}, {3, 7}}),
                    "score: words must lie in 0 … 4: sentence 1 has 7");
  CHECK_THROWS_WITH(score(echo(), one_word_sentences({5}), {{-3}}),
                    "score: words must lie in 0 … 4: sentence 0 has -3");
  ScoringOptions options;
  options.rivals = -1;
  CHECK_THROWS_WITH(score(echo(), one_word_sentences({5}), {{3}}, options),
                    "score: rivals must not be negative: got -1");
}
