// How good translations are, by hand, of a translator whose probabilities are known.
#include <gradual/nn/translation/evaluation.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <sstream>

#include "nn/decoding/table_model.hpp"
#include "support/catch.hpp"

using namespace gradual;

namespace {

// A translator that begins with "a" (1/2), "b" (1/4) or "c" (1/4), goes on after "b" with "c", and then ends.
Translator one_word() {
  constexpr std::int32_t b = 5, c = 6;  // and a is 4
  auto model = std::make_unique<TableModel>(
      [=](std::int32_t, const std::vector<std::int32_t>& prefix) -> std::vector<double> {
        if (prefix.size() == 1) return {0, 0, 0, 0, 0.5, 0.25, 0.25};
        std::vector<double> surely(7, 0);
        surely[static_cast<std::size_t>(prefix.back() == b ? c : Vocabulary::eos)] = 1;
        return surely;
      });
  const Language words{Tokenizer(), Vocabulary::build({{"a", "b", "c"}})};
  return Translator(std::move(model), words, words);
}

}  // namespace

TEST_CASE("evaluation: perplexity and accuracy count each token of what is right, its end among them") {
  const Evaluation evaluation = evaluate(one_word(), {"held-out", {{"a", "a"}, {"b", "b c"}}}, {});
  // Tokens: a and the end, b, c and the end; of b the translator would have said a.
  CHECK(evaluation.perplexity == Approx(std::exp((std::log(2.0) + std::log(4.0)) / 5)));
  CHECK(evaluation.token_accuracy == Approx(4.0 / 5));
  CHECK(evaluation.exact == Approx(0.5));
  REQUIRE(evaluation.sentences.size() == 2);
  CHECK(evaluation.sentences[1].lines() == "  ✗ b\n    a\n    right: b c");
}

TEST_CASE("evaluation: a model whose probabilities are no numbers is refused before it is searched") {
  auto model = std::make_unique<TableModel>(
      [](std::int32_t, const std::vector<std::int32_t>&) { return std::vector<double>(7, std::nan("")); });
  const Language words{Tokenizer(), Vocabulary::build({{"a", "b", "c"}})};
  const Translator translator(std::move(model), words, words);
  CHECK_THROWS_WITH(
      evaluate(translator, {"held-out", {{"a", "a"}}}, {}),
      "evaluate: the loss of a model must be a number: that of held-out is nan; it diverged while it was "
      "trained, or its file is damaged");
}

TEST_CASE("evaluation: a source that has several translations is judged once, by all of them") {
  const Evaluation evaluation = evaluate(one_word(), {"held-out", {{"c", "c"}, {"c", "a"}, {"a", "b"}}}, {});
  REQUIRE(evaluation.sentences.size() == 2);
  CHECK(evaluation.sentences[0].references == std::vector<std::string>{"c", "a"});
  CHECK(evaluation.exact == Approx(0.5));
}

TEST_CASE(
    "evaluation: its table of scores has each as written and in lower case, so counted as its name says") {
  Evaluation evaluation;
  evaluation.sentences = {{"x", {"A b c d"}, "a b c d"}};
  const std::string table = bleu_table(evaluation);
  const auto scores = [&](const std::string& letters) {
    std::vector<double> found;
    std::istringstream lines(table);
    for (std::string line; std::getline(lines, line);)
      if (line.find(letters) != std::string::npos) found.push_back(std::stod(line));
    return found;
  };
  const std::vector<double> written = scores("as written"), lower = scores("lower case");
  REQUIRE(written.size() == 4);
  REQUIRE(lower.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(written[i] < 100);
    CHECK(lower[i] == Approx(100));
  }
  evaluation.lower_case = true;
  CHECK(bleu_table(evaluation).find("as written") == std::string::npos);
}

TEST_CASE("evaluation: by minimum risk, each sentence gets the translation that its samples are most like") {
  MinimumRiskOptions risk;
  risk.samples = 2000;
  const std::vector<Judged> judged = judge(one_word(), {{"a", "a"}, {"b", "a"}, {"a", "b c"}}, {}, risk);
  REQUIRE(judged.size() == 2);
  for (const Judged& each : judged) CHECK(each.translation == "a");
  CHECK(judged[0].references == std::vector<std::string>{"a", "b c"});
}

TEST_CASE("evaluation: sentences for people steer no terminal") {
  using namespace std::string_literals;
  const Judged wrong{"a\x1B[2J", {"b\0c"s}, "\x1B]0;d\x07"};
  CHECK(wrong.lines() == "  ✗ a␛[2J\n    ␛]0;d␇\n    right: b␀c");
}

TEST_CASE("evaluation: the first sentences are ten, or all where there are fewer") {
  Evaluation evaluation;
  for (const std::size_t count : {3, 12}) {
    evaluation.sentences.assign(count, {"x", {"a"}, "a"});
    std::string lines;
    for (std::size_t i = 0; i < std::min<std::size_t>(10, count); ++i) lines += "\n  ✓ x\n    a";
    CHECK(evaluation.first_sentences() == lines);
  }
}
