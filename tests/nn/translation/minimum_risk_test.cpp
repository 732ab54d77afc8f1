#include <gradual/nn/translation/minimum_risk.hpp>

#include <limits>
#include <memory>

#include <gradual/nn/translation/translated_lines.hpp>

#include "nn/decoding/table_model.hpp"
#include "support/catch.hpp"
#include "support/threads.hpp"

using namespace gradual;

namespace {

// A translator that says "a" with 0.36, "b c" with 0.32 and "c b" with 0.32.
Translator undecided() {
  constexpr std::int32_t a = 4, b = 5, c = 6;
  const auto surely = [](std::int32_t word) {
    std::vector<double> probabilities(7, 0);
    probabilities[static_cast<std::size_t>(word)] = 1;
    return probabilities;
  };
  auto model = std::make_unique<TableModel>(
      [=](std::int32_t, const std::vector<std::int32_t>& prefix) -> std::vector<double> {
        if (prefix.size() == 1) return {0, 0, 0, 0, 0.36, 0.32, 0.32};
        if (prefix.size() == 2 && prefix.back() != a) return surely(prefix.back() == b ? c : b);
        return surely(Vocabulary::eos);
      });
  const Language words{Tokenizer(), Vocabulary::build({{"a", "b", "c"}})};
  return Translator(std::move(model), words, words);
}

MinimumRiskOptions drawing(Index samples) {
  MinimumRiskOptions options;
  options.samples = samples;
  return options;
}

}  // namespace

TEST_CASE("minimum risk: an expected utility is the mean over the samples, each as often as it was drawn") {
  const auto equal = [](const std::string& a, const std::string& b) { return a == b ? 1.0 : 0.0; };
  CHECK(expected_utilities({"x", "y", "z"}, {"x", "y", "x", "x"}, equal) ==
        std::vector<double>{0.75, 0.25, 0});
  const auto order = [](const std::string& candidate, const std::string& right) {
    return static_cast<double>(candidate.size()) - 10 * static_cast<double>(right.size());
  };
  CHECK(expected_utilities({"xxx"}, {"y", "yy"}, order) == std::vector<double>{3 - 15});
  CHECK_THROWS_WITH(expected_utilities({"x"}, {}, equal),
                    "minimum risk: there must be samples to compare with: there are none");
}

TEST_CASE("minimum risk: the utility is the chrF or the BLEU of a sentence") {
  MinimumRiskOptions options;
  // "bc" and "cb": both letters are right, the pair is not; P = R = (1 + 0) / 2.
  CHECK(utility_of(options)("b c", "c b") == Approx(50));
  options.utility = Utility::bleu;
  options.bleu.tokens = BleuTokens::none;
  const std::string hypothesis = "a b c d e", reference = "a b c d f";
  CHECK(utility_of(options)(hypothesis, reference) == bleu({hypothesis}, {{reference}}, options.bleu).score);
  CHECK(utility_of(options)(hypothesis, hypothesis) == Approx(100));
}

TEST_CASE("minimum risk: what is shorter than four words can be right, and nothing is like nothing") {
  // By sacreBLEU 2.6.0, BLEU(effective_order=True).sentence_score(candidate, [right]).
  MinimumRiskOptions options;
  options.utility = Utility::bleu;
  const UtilityFunction utility = utility_of(options);
  CHECK(utility("Oui.", "Oui.") == Approx(100));
  CHECK(utility("Oui, c'est vrai.", "Oui.") == Approx(12.703318703865365));
  CHECK(utility("Oui.", "Oui, c'est vrai.") == Approx(15.777684932819515));
  CHECK(utility("Go now", "Go") == Approx(49.99999999999999));
  CHECK(utility("Run on now", "Run on then") == Approx(55.03212081491043));
  CHECK(utility("the cat sat in the mat", "the cat sat on the mat") == Approx(37.99178428257963));
  CHECK(utility("a", "b") == 0);
  CHECK(utility("", "a") == 0);
  CHECK(utility("a", "") == 0);
  for (const Utility each : {Utility::bleu, Utility::chrf}) {
    options.utility = each;
    CHECK(utility_of(options)("", "") == 100);
  }
}

TEST_CASE("minimum risk: where the likeliest translation is like no other, one that is like others wins") {
  const Translator translator = undecided();
  BeamOptions search;
  search.n_best = 3;
  CHECK(translator.translate({"a"}) == std::vector<std::string>{"a"});
  const auto found = search_by_minimum_risk(translator, {"a"}, search, drawing(500), Random(1)).front();
  REQUIRE(found.size() == 3);
  const std::string best = translator.text_of("a", found[0]);
  CHECK((best == "b c" || best == "c b"));
  CHECK(translator.text_of("a", found[2]) == "a");
  // 0.32·100 + 0.32·50 for either of two, and 0.36·100; four standard deviations are below 9.
  CHECK(found[0].score == Approx(48).margin(9));
  CHECK(found[2].score == Approx(36).margin(9));
  CHECK(found[0].score >= found[1].score);
  const auto again = search_by_minimum_risk(translator, {"a"}, search, drawing(500), Random(1)).front();
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(again[i].tokens == found[i].tokens);
    CHECK(again[i].score == found[i].score);
  }
}

TEST_CASE("minimum risk: lines are translated by it, and it is not sampling") {
  const Translator translator = undecided();
  LineOptions options;
  options.minimum_risk = drawing(500);
  options.check();
  Random random(1);
  const std::string line =
      written(translator, translate_lines(translator, {"a"}, options, random).front(), options);
  CHECK((line == "b c\n" || line == "c b\n"));
  options.sampling = true;
  CHECK_THROWS_WITH(options.check(), "--mbr chooses among what it draws, --sample does not: one of them");
}

TEST_CASE("minimum risk: as many translations are drawn as memory may hold, and no fewer than one") {
  for (const Index count :
       {Index(-1), Index(0), Translator::most_drawn + 1, std::numeric_limits<Index>::max()})
    CHECK_THROWS_WITH(undecided().draw({"a"}, count, {}, 1, Random(1)),
                      "translator: so many translations cannot be drawn: must be from 1 to 10000: got " +
                          std::to_string(count));
}

TEST_CASE(
    "minimum risk: what is drawn is the same whether the model is in training or not, and for other "
    "threads") {
  TransformerConfig config;
  config.width = config.feed_forward = 16;
  config.heads = 2;
  config.encoder_layers = config.decoder_layers = 1;
  config.dropout = 0.5;
  const Language words{Tokenizer(), Vocabulary::build({{"a", "b", "c"}})};
  const Translator translator(config, words, words, Random(3));
  const std::vector<std::string> sentences = {"a b c", "c", "a a b"};
  const auto drawn = [&] { return translator.draw(sentences, 4, {}, 1, Random(5)); };
  set_training(translator.model(), true);
  const auto in_training = drawn();
  set_training(translator.model(), false);
  const auto evaluated = drawn();
  const ThreadCount one(1);
  const auto alone = drawn();
  REQUIRE(evaluated.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    REQUIRE(evaluated[i].size() == 4);
    for (std::size_t j = 0; j < 4; ++j) {
      CHECK(in_training[i][j].tokens == evaluated[i][j].tokens);
      CHECK(alone[i][j].tokens == evaluated[i][j].tokens);
    }
  }
}

TEST_CASE("minimum risk: at least one translation is to be kept of each sentence") {
  BeamOptions search;
  for (const Index none : {Index(0), Index(-1)}) {
    search.n_best = none;
    CHECK_THROWS_WITH(search_by_minimum_risk(undecided(), {"a"}, search, drawing(2), Random(1)),
                      "minimum risk: n_best must be positive: got " + std::to_string(none));
  }
}

TEST_CASE("minimum risk: of equally good ones the first is what was drawn first") {
  const Translator translator = undecided();
  BeamOptions search;
  search.n_best = 3;
  const MinimumRiskOptions two = drawing(2);
  int equal = 0;  // how often the samples were "b c" and "c b", which are as good as each other
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const auto drawn = translator.draw({"a"}, 2, search, two.temperature, Random(seed)).front();
    const std::string first = translator.text_of("a", drawn[0]), second = translator.text_of("a", drawn[1]);
    if (first == second || first == "a" || second == "a") continue;
    ++equal;
    const auto found = search_by_minimum_risk(translator, {"a"}, search, two, Random(seed)).front();
    REQUIRE(found.size() == 3);
    CHECK(found[0].score == found[1].score);
    CHECK(translator.text_of("a", found[0]) == first);
    CHECK(translator.text_of("a", found[1]) == second);
    CHECK(translator.text_of("a", found[2]) == "a");
  }
  CHECK(equal > 3);
}
