#include <gradual/nn/decoding/sample.hpp>

#include <algorithm>
#include <cmath>

#include <gradual/nn/decoding/greedy.hpp>

#include "nn/decoding/table_model.hpp"
#include "support/catch.hpp"

using namespace gradual;

namespace {

using Words = std::vector<std::int32_t>;

// Words: 0 padding, 1 begin, 2 end, 3 and 4 real ones.
TableModel coin() {
  return TableModel([](std::int32_t, const Words&) -> std::vector<double> {
    return {0.1, 0.1, 0.2, 0.4, 0.2};
  });
}

}  // namespace

TEST_CASE("sample: whole translations come as often as they are likely") {
  // Without padding and begin: end 1/4, 3 1/2, 4 1/4. The empty translation then has 1/4, "3" 1/8, "3 4"
  // 1/32.
  const std::vector<std::int32_t> sentences(20000, 5);
  const auto found = sample(coin(), one_word_sentences(sentences), {}, {}, Random(3));
  const auto share = [&](const Words& words) {
    const auto count =
        std::count_if(found.begin(), found.end(), [&](const Hypothesis& h) { return h.tokens == words; });
    return static_cast<double>(count) / 20000;
  };
  CHECK(share({}) == Approx(0.25).margin(0.01));
  CHECK(share({3}) == Approx(0.125).margin(0.01));
  CHECK(share({3, 4}) == Approx(1.0 / 32).margin(0.005));
}

TEST_CASE("sample: log-probabilities are the model's, whatever the temperature and the cuts") {
  const auto found = sample(coin(), one_word_sentences(Words(50, 5)), {}, {0.7, 2, 0.9}, Random(8));
  for (const Hypothesis& hypothesis : found) {
    const auto threes = std::count(hypothesis.tokens.begin(), hypothesis.tokens.end(), 3);
    const auto length = static_cast<double>(hypothesis.tokens.size()), count = static_cast<double>(threes);
    const double expected =
        count * std::log(0.4) + (length - count) * std::log(0.2) + (hypothesis.finished ? std::log(0.2) : 0);
    CHECK(hypothesis.log_probability == Approx(expected).epsilon(1e-5));
    CHECK(hypothesis.score == hypothesis.log_probability);
  }
}

TEST_CASE("sample: the same seed gives the same translations, whatever else is in the batch") {
  const Transformer model = small_transformer(12, 5, 1);
  const SourceBatch batch = random_sentences({7, 3, 5}, 12, 8);
  DecodingOptions options;
  options.max_length = 15;
  const auto first = sample(model, batch, options, {}, Random(4));
  const auto again = sample(model, batch, options, {}, Random(4));
  const auto other = sample(model, batch, options, {}, Random(5));
  const auto alone = sample(model, only(batch, 0), options, {}, Random(4));
  bool all_equal = true;
  for (std::size_t b = 0; b < 3; ++b) {
    CHECK(first[b].tokens == again[b].tokens);
    all_equal = all_equal && first[b].tokens == other[b].tokens;
  }
  CHECK(alone[0].tokens == first[0].tokens);
  CHECK_FALSE(all_equal);
}

TEST_CASE("sample: with only the likeliest word to choose from it is greedy search") {
  const Transformer model = small_transformer(12, 5);
  const SourceBatch batch = random_sentences({7, 3, 5}, 12, 8);
  DecodingOptions options;
  options.max_length = 10;
  const auto expected = greedy(model, batch, options);
  const auto found = sample(model, batch, options, {1, 1, 1}, Random(4));
  for (std::size_t b = 0; b < 3; ++b) {
    CHECK(found[b].tokens == expected[b].tokens);
    CHECK(found[b].log_probability == Approx(expected[b].log_probability).epsilon(1e-4).margin(1e-4));
  }
}

TEST_CASE("sample: bad options and logits that are not numbers are refused") {
  const SourceBatch source = one_word_sentences({5});
  DecodingOptions options;
  options.max_length = 0;
  CHECK_THROWS_WITH(sample(coin(), source, options, {}, Random(1)),
                    "sample: max_length must be positive: got 0");
  CHECK_THROWS_WITH(sample(coin(), source, {}, {0, 0, 1}, Random(1)),
                    "sampling: the temperature must be above 0: got 0");
  const TableModel broken([](std::int32_t, const Words&) { return std::vector<double>(5, std::nan("")); });
  CHECK_THROWS_WITH(
      sample(broken, source, {}, {}, Random(1)),
      "sample: some word must have a probability above 0: sentence 0, step 0; are the model's logits "
      "numbers?");
}

TEST_CASE("ancestral samples: whole translations come as often as they are likely, at any temperature") {
  const std::vector<std::int32_t> sentences(20000, 5);
  for (const double temperature : {1.0, 0.5}) {
    // Without padding and begin: end, 3 and 4 as 0.2, 0.4 and 0.2, or as their squares.
    const double end = temperature == 1 ? 1.0 / 4 : 1.0 / 6, three = temperature == 1 ? 1.0 / 2 : 2.0 / 3;
    const auto found = ancestral_samples(coin(), one_word_sentences(sentences), {}, temperature, Random(3));
    const auto share = [&](const Words& words) {
      const auto count =
          std::count_if(found.begin(), found.end(), [&](const Hypothesis& h) { return h.tokens == words; });
      return static_cast<double>(count) / 20000;
    };
    CHECK(share({}) == Approx(end).margin(0.0125));
    CHECK(share({3}) == Approx(three * end).margin(0.01));
    CHECK(share({3, 4}) == Approx(three * end * end).margin(0.007));
  }
}

TEST_CASE("ancestral samples: log-probabilities are the model's, at any temperature, as those of sample") {
  DecodingOptions options;
  options.max_length = 2;
  for (const double temperature : {1.0, 0.5, 2.0})
    for (const Hypothesis& found :
         ancestral_samples(coin(), one_word_sentences(Words(50, 5)), options, temperature, Random(8))) {
      double expected = found.finished ? std::log(0.2) : 0;
      for (const std::int32_t word : found.tokens) expected += std::log(word == 3 ? 0.4 : 0.2);
      CHECK(found.log_probability == Approx(expected).epsilon(1e-5));
    }
}

TEST_CASE("ancestral samples: several of each sentence are those of as many sentences that are alike") {
  const Transformer model = small_transformer(12, 5, 1);
  const SourceBatch two = random_sentences({7, 3}, 12, 8);
  Words ids, lengths;
  for (Index row = 0; row < 6; ++row) {
    const Index sentence = row / 3;
    ids.insert(ids.end(), two.ids.begin() + 7 * sentence, two.ids.begin() + 7 * (sentence + 1));
    lengths.push_back(two.lengths[sentence]);
  }
  const SourceBatch six{Indices({6, 7}, ids), Indices(Shape{6}, lengths)};
  DecodingOptions options;
  options.max_lengths = {8, 4};
  const auto found = ancestral_samples(model, two, options, 2, Random(4), 3);
  options.max_lengths = {8, 8, 8, 4, 4, 4};
  const auto expected = ancestral_samples(model, six, options, 2, Random(4));
  REQUIRE(found.size() == 6);
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(found[i].tokens == expected[i].tokens);
    CHECK(found[i].log_probability == Approx(expected[i].log_probability).epsilon(1e-4).margin(1e-4));
  }
  CHECK(found[0].tokens != found[1].tokens);
  CHECK_THROWS_WITH(ancestral_samples(model, two, {}, 1, Random(4), 0),
                    "sample: each sentence must have a translation: asked for 0 of each");
}

TEST_CASE("ancestral samples: with nothing suppressed every word comes as often as it is likely") {
  DecodingOptions options;
  options.suppressed = {};
  options.max_length = 1;
  const auto found = ancestral_samples(coin(), one_word_sentences(Words(20000, 5)), options, 1, Random(3));
  std::vector<double> shares(5);
  for (const Hypothesis& each : found)
    shares[static_cast<std::size_t>(each.finished ? options.end : each.tokens.at(0))] += 1.0 / 20000;
  const std::vector<double> expected = {0.1, 0.1, 0.2, 0.4, 0.2};
  for (std::size_t i = 0; i < 5; ++i) CHECK(shares[i] == Approx(expected[i]).margin(0.0125));
}

TEST_CASE("ancestral samples: at the lowest temperatures there are, they are the likeliest words") {
  DecodingOptions options;
  options.max_length = 3;
  const TableModel padding([](std::int32_t, const Words&) -> std::vector<double> {
    return {0.6, 0.1, 0.05, 0.2, 0.05};
  });
  for (const double temperature : {1e-3, 1e-45, 1e-320}) {
    const auto found = ancestral_samples(coin(), one_word_sentences({5}), options, temperature, Random(1));
    CHECK(found.front().tokens == Words{3, 3, 3});
    const auto without_padding =
        ancestral_samples(padding, one_word_sentences({5}), options, temperature, Random(1));
    CHECK(without_padding.front().tokens == Words{3, 3, 3});
  }
}

TEST_CASE("ancestral samples: a model without any probability left, and a temperature of 0, are errors") {
  const TableModel nothing([](std::int32_t, const Words&) -> std::vector<double> { return {0.5, 0.5, 0}; });
  CHECK_THROWS_AS(ancestral_samples(nothing, one_word_sentences({5}), {}, 1, Random(1)),
                  std::invalid_argument);
  CHECK_THROWS_WITH(ancestral_samples(coin(), one_word_sentences({5}), {}, 0, Random(1)),
                    "sampling: the temperature must be above 0: got 0");
}
