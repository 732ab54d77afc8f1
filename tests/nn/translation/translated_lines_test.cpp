#include <gradual/nn/translation/translated_lines.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <set>

#include <gradual/nn/transformer/config.hpp>

#include "nn/decoding/table_model.hpp"
#include "support/catch.hpp"

using namespace gradual;

namespace {

// A translator that says "a" with 1/2 or "b" with 1/2, and then ends.
Translator one_of_two() {
  auto model = std::make_unique<TableModel>(
      [](std::int32_t, const std::vector<std::int32_t>& prefix) -> std::vector<double> {
        if (prefix.size() == 1) return {0, 0, 0, 0, 0.5, 0.5};
        std::vector<double> surely(6, 0);
        surely[Vocabulary::eos] = 1;
        return surely;
      });
  const Language words{Tokenizer(), Vocabulary::build({{"a", "b"}})};
  return Translator(std::move(model), words, words);
}

}  // namespace

TEST_CASE("translated lines: each pair of a file is scored, under the number of its line") {
  const std::vector<ScoredLine> scored =
      score_lines(one_of_two(), {"a\tb", "   ", "b a\ta"}, "pairs.tsv", 5, 0);
  REQUIRE(scored.size() == 2);
  CHECK(scored[0].number == 5);
  CHECK(scored[0].pair.source == "a");
  CHECK(scored[0].pair.target == "b");
  CHECK(scored[1].number == 7);
  CHECK(scored[1].pair.source == "b a");
  for (const ScoredLine& each : scored) {
    CHECK(each.problem.empty());
    CHECK(each.score.log_probability == Approx(std::log(0.5)));  // of the word; the end is sure
  }
  CHECK(score_lines(one_of_two(), {}, "pairs.tsv", 1, 0).empty());
  CHECK_THROWS_WITH(score_lines(one_of_two(), {"a\tb", "no tab"}, "pairs.tsv", 5, 0),
                    Contains("pairs.tsv:6"));
}

TEST_CASE(
    "translated lines: the rivals of a word are those that a search may write, as many as were asked for") {
  auto model =
      std::make_unique<TableModel>([](std::int32_t, const std::vector<std::int32_t>&) -> std::vector<double> {
        return {0.3, 0.2, 0.1, 0.05, 0.15, 0.2};  // padding, begin, end, unknown, a and b
      });
  const Language words{Tokenizer(), Vocabulary::build({{"a", "b"}})};
  const Translator translator(std::move(model), words, words);
  for (const Index wanted : {Index(0), Index(1), Index(2), std::numeric_limits<Index>::max()}) {
    const std::vector<TokenProbability> rivals =
        score_with_rivals(translator, {{"a", "a"}}, wanted).front().words.front().rivals;
    const std::vector<std::int32_t> likeliest = {5, Vocabulary::eos, Vocabulary::unknown};
    REQUIRE(static_cast<Index>(rivals.size()) == std::min<Index>(wanted, 3));
    for (std::size_t i = 0; i < rivals.size(); ++i) CHECK(rivals[i].token == likeliest[i]);
  }
  CHECK(score_lines(translator, {"a\ta"}, "pairs.tsv", 1, 1).front().score.words[0].rivals[0].token == 5);
  CHECK_THROWS_AS(score_with_rivals(translator, {{"a", "a"}}, -1), std::invalid_argument);
}

TEST_CASE("translated lines: a search gives each line the same, and a draw by chance does not") {
  const std::vector<std::string> lines(20, "a");
  LineOptions options;
  for (const bool sampling : {false, true}) {
    options.sampling = sampling;
    std::set<std::string> translations;
    Random random(1);
    for (const TranslatedLine& line : translate_lines(one_of_two(), lines, options, random))
      translations.insert(written(one_of_two(), line, options));
    CHECK(translations.size() == (sampling ? 2 : 1));
  }
  options.search.n_best = 20;  // more than a beam holds
  Random random(1);
  CHECK(translate_lines(one_of_two(), {"a"}, options, random).front().found.size() == 20);
}

TEST_CASE("translated lines: a token that would end a line ends none") {
  auto model = std::make_unique<TableModel>(
      [](std::int32_t, const std::vector<std::int32_t>& prefix) -> std::vector<double> {
        std::vector<double> surely(6, 0);
        surely[prefix.size() == 1 ? 4 : Vocabulary::eos] = 1;
        return surely;
      });
  const Language words{Tokenizer(), Vocabulary::build({{"a", "b"}})},
      broken{Tokenizer(), Vocabulary({"<pad>", "<bos>", "<eos>", "<unk>", "c\nd", "e\r"})};
  const Translator translator(std::move(model), words, broken);
  Random random(1);
  LineOptions options;
  const TranslatedLine line = translate_lines(translator, {"a"}, options, random).front();
  CHECK(written(translator, line, options) == "c d\n");
  options.json = true;
  CHECK_THAT(written(translator, line, options), Contains("c\\nd"));
}

TEST_CASE(
    "translated lines: a token that would steer a terminal stands in a table of scores as its picture") {
  const Language words{Tokenizer(), Vocabulary::build({{"a", "b"}})},
      strange{Tokenizer(), Vocabulary({"<pad>", "<bos>", "<eos>", "<unk>", "a", "c\n\x1b[31m"})};
  auto model =
      std::make_unique<TableModel>([](std::int32_t, const std::vector<std::int32_t>&) -> std::vector<double> {
        return {0, 0, 0.2, 0, 0.4, 0.4};
      });
  const Translator translator(std::move(model), words, strange);
  const ScoredLine line = score_lines(translator, {"a\ta"}, "pairs.tsv", 1, 1).front();
  const std::string table = written(translator, line, true, false);
  CHECK_THAT(table, Contains("c↵␛[31m 0.4000"));
  CHECK(std::count(table.begin(), table.end(), '\n') == 3);  // the pair, its word and the end
}

TEST_CASE("translated lines: a translation that was cut says so in JSON") {
  auto model =
      std::make_unique<TableModel>([](std::int32_t, const std::vector<std::int32_t>&) -> std::vector<double> {
        return {0, 0, 0, 0, 0.9, 0.1};  // there is no end
      });
  const Language words{Tokenizer(), Vocabulary::build({{"a", "b"}})};
  LineOptions options;
  options.json = true;
  options.search.n_best = 2;
  options.search.max_length = 3;
  Random random(1);
  const auto json_of_line = [&](const Translator& translator) {
    return written(translator, translate_lines(translator, {"a"}, options, random).front(), options);
  };
  CHECK_THAT(json_of_line(Translator(std::move(model), words, words)),
             Contains("\"finished\":false") && !Contains("\"finished\":true"));
  CHECK_THAT(json_of_line(one_of_two()), Contains("\"finished\":true") && !Contains("\"finished\":false"));
}

TEST_CASE("translated lines: a model that gives what is no number scores no line, and its first is named") {
  auto model =
      std::make_unique<TableModel>([](std::int32_t, const std::vector<std::int32_t>&) -> std::vector<double> {
        return std::vector<double>(6, std::numeric_limits<double>::quiet_NaN());
      });
  const Language words{Tokenizer(), Vocabulary::build({{"a", "b"}})};
  const Translator translator(std::move(model), words, words);
  CHECK_THROWS_WITH(score_lines(translator, {"", "a\ta"}, "pairs.tsv", 1, 0),
                    Contains("nan for pairs.tsv:2"));
}

TEST_CASE("translated lines: the way back and its weight are part of how lines are translated") {
  Translator translator = one_of_two();
  std::set<std::string> ways{way_of(translator, {})};
  translator.set_reverse({nullptr, 0});
  ways.insert(way_of(translator, {}));
  CHECK(ways.size() == 1);
  for (const double weight : {0.5, 0.7}) {
    translator.set_reverse({nullptr, weight});
    ways.insert(way_of(translator, {}));
    translator.set_reverse({std::make_shared<Translator>(one_of_two()), weight});
    ways.insert(way_of(translator, {}));
  }
  CHECK(ways.size() == 5);
}

TEST_CASE("translated lines: vocabularies and all digits of a penalty are part of how lines are translated") {
  const auto model = [] { return std::make_unique<TableModel>(nullptr); };
  const Language words{Tokenizer(), Vocabulary::build({{"a", "b"}})},
      others{Tokenizer(), Vocabulary::build({{"a", "c"}})};
  LineOptions options;
  CHECK(way_of(Translator(model(), words, words), options) ==
        way_of(Translator(model(), words, words), options));
  CHECK(way_of(Translator(model(), words, words), options) !=
        way_of(Translator(model(), words, others), options));
  // Two models of the same weights that attend otherwise.
  TransformerConfig config;
  config.width = 8;
  std::set<std::string> ways;
  for (const std::string positions : {"sinusoidal", "rotary", "alibi"}) {
    config.positions = positions;
    ways.insert(way_of(Translator(config, words, words, Random(1)), options));
  }
  CHECK(ways.size() == 3);
  options.search.length_penalty = 0.6;
  const std::string usual = way_of(one_of_two(), options);
  CHECK_THAT(usual, Contains("length penalty 0.6,"));
  options.search.length_penalty = 0.60000001;
  CHECK(way_of(one_of_two(), options) != usual);
}

TEST_CASE("translated lines: of a line that is too long nothing is guessed") {
  std::string line;
  for (Index i = 0; i <= one_of_two().longest_sentence(); ++i) line += "x ";
  Random random(1);
  const TranslatedLine found = translate_lines(one_of_two(), {line}, {}, random).front();
  CHECK_THAT(found.problem, Contains("too long: 4097 tokens"));
  CHECK(found.unknown.empty());
  CHECK(translate_lines(one_of_two(), {"x"}, {}, random).front().unknown == std::vector<std::string>{"x"});
}
