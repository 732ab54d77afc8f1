#include <gradual/nn/decoding/greedy.hpp>

#include <cmath>
#include <limits>

#include <gradual/nn/decoding/word_by_word.hpp>

#include "nn/decoding/table_model.hpp"
#include "support/catch.hpp"

using namespace gradual;

namespace {

using Prefix = std::vector<std::int32_t>;

// Words: 0 padding, 1 begin, 2 end, 3 and 4 real ones. Source n wants n times word 3 + n % 2, then the end.
TableModel counting_model() {
  return TableModel([](std::int32_t source, const Prefix& prefix) -> std::vector<double> {
    if (static_cast<std::int32_t>(prefix.size()) > source) return {0.1, 0.1, 0.5, 0.2, 0.1};
    return source % 2 == 0 ? std::vector<double>{0.3, 0.1, 0.1, 0.4, 0.1}
                           : std::vector<double>{0.0, 0.0, 0.25, 0.25, 0.5};
  });
}

}  // namespace

TEST_CASE("greedy: each step writes the likeliest word until the end token") {
  const auto found = greedy(counting_model(), one_word_sentences({2, 3}));
  REQUIRE(found.size() == 2);
  CHECK(found[0].tokens == Prefix{3, 3});
  CHECK(found[1].tokens == Prefix{4, 4, 4});
  CHECK(found[0].finished);
  CHECK(found[0].log_probability == Approx(2 * std::log(0.4) + std::log(0.5)).epsilon(table_tolerance));
  CHECK(found[1].log_probability == Approx(3 * std::log(0.5) + std::log(0.5)).epsilon(table_tolerance));
  CHECK(found[1].score == found[1].log_probability);
}

TEST_CASE("greedy: sentences that have come to their end leave the batch") {
  const TableModel model = counting_model();
  const auto found = greedy(model, one_word_sentences({3, 0, 1, 2}));
  CHECK(model.rows_seen == std::vector<Index>{4, 3, 2, 1});
  CHECK(found[0].tokens == Prefix{4, 4, 4});
  CHECK(found[1].tokens.empty());
  CHECK(found[2].tokens == Prefix{4});
  CHECK(found[3].tokens == Prefix{3, 3});
}

TEST_CASE("greedy: max_length counts the end token, and what is cut short is not finished") {
  DecodingOptions options;
  options.max_length = 3;
  const auto found = greedy(counting_model(), one_word_sentences({2, 3}), options);
  CHECK(found[0].finished);
  CHECK_FALSE(found[1].finished);
  CHECK(found[1].tokens == Prefix{4, 4, 4});
  CHECK(found[1].log_probability == Approx(3 * std::log(0.5)).epsilon(table_tolerance));
}

TEST_CASE("greedy: an end token that no word has writes max_length words") {
  DecodingOptions options;
  options.max_length = 7;
  options.end = -1;
  const auto found = greedy(counting_model(), one_word_sentences({2}), options);
  CHECK(found[0].tokens == Prefix{3, 3, 2, 2, 2, 2, 2});
  CHECK_FALSE(found[0].finished);
}

TEST_CASE("greedy: suppressed words are never written, and keep their probability") {
  const TableModel model([](std::int32_t, const Prefix&) -> std::vector<double> {
    return {0.3, 0.3, 0.2, 0.1, 0.1};
  });
  const auto found = greedy(model, one_word_sentences({5}));
  CHECK(found[0].tokens.empty());
  CHECK(found[0].log_probability == Approx(std::log(0.2)).epsilon(table_tolerance));

  DecodingOptions options;
  options.suppressed = {2, 3, 4};
  options.max_length = 2;
  CHECK(greedy(model, one_word_sentences({5}), options)[0].tokens == Prefix{0, 0});
}

TEST_CASE("greedy: a batch finds what each sentence finds alone") {
  const std::string attention = GENERATE("scaled_dot", "general");
  const Transformer model = small_transformer(12, 5, 3, NormPlace::before, attention);
  const SourceBatch batch = random_sentences({7, 3, 5, 1, 6}, 12, 8);
  DecodingOptions options;
  options.max_length = 12;
  const auto together = greedy(model, batch, options);
  for (Index b = 0; b < 5; ++b) {
    const auto single = greedy(model, only(batch, b), options);
    CHECK(single[0].tokens == together[static_cast<std::size_t>(b)].tokens);
    CHECK(single[0].log_probability ==
          Approx(together[static_cast<std::size_t>(b)].log_probability).epsilon(1e-4));
  }
}

TEST_CASE("greedy: no sentences give no translations") {
  CHECK(greedy(counting_model(), {Indices({0, 3}, {}), Indices(Shape{0}, {})}).empty());
}

TEST_CASE("greedy: bad options and logits that are not numbers are refused") {
  DecodingOptions options;
  options.max_length = 0;
  CHECK_THROWS_WITH(greedy(counting_model(), one_word_sentences({2}), options),
                    "greedy: max_length must be positive: got 0");
  options.max_length = 5;
  options.begin = -4;
  CHECK_THROWS_WITH(greedy(counting_model(), one_word_sentences({2}), options),
                    "greedy: begin must be a token: got -4");

  const TableModel broken([](std::int32_t source, const Prefix&) {
    return std::vector<double>(5, source == 7 ? std::numeric_limits<double>::quiet_NaN() : 0.2);
  });
  DecodingOptions short_one;
  short_one.max_length = 1;
  CHECK_THROWS_WITH(greedy(broken, one_word_sentences({3, 7}), short_one),
                    "greedy: some word must have a probability above 0: sentence 1, step 0; are the model's "
                    "logits numbers?");
}

TEST_CASE("word by word: a chooser must choose one word for each sentence") {
  for (const std::size_t chosen : {0, 1, 3})
    CHECK_THROWS_WITH(
        write_word_by_word("mine", counting_model(), one_word_sentences({2, 3}), {},
                           [&](const Indices&, TranslationModel::State&, const std::vector<Index>&) {
                             return std::vector<ChosenWord>(chosen, {3, 0.0});
                           }),
        text("mine: a chooser must choose a word for each sentence: it chose ", chosen, " for 2"));
}
