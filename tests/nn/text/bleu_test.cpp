#include <gradual/nn/text/bleu.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/catch.hpp"

using namespace gradual;

namespace {

using Sentences = std::vector<std::string>;
using References = std::vector<Sentences>;

// Made by make_bleu_fixtures.py with sacreBLEU.
nlohmann::json fixture() { return nlohmann::json::parse(std::ifstream(GRADUAL_FIXTURES "/bleu.json")); }

Approx nearly(double value) { return Approx(value).epsilon(1e-12).margin(1e-12); }

}  // namespace

TEST_CASE("bleu: scores, precisions, lengths, signature and printed line are sacreBLEU's") {
  const std::map<std::string, BleuTokens> tokens = {
      {"13a", BleuTokens::mteval_13a}, {"none", BleuTokens::none}, {"char", BleuTokens::characters}};
  for (const auto& test : fixture()) {
    for (const auto& expected : test["bleu"]) {
      CAPTURE(test["name"], expected["tokens"], expected["lowercase"]);
      const BleuScore score = bleu(test["hypotheses"].get<Sentences>(), test["references"].get<References>(),
                                   {tokens.at(expected["tokens"]), expected["lowercase"]});
      CHECK(score.score == nearly(expected["score"]));
      for (std::size_t i = 0; i < 4; ++i) CHECK(score.precisions[i] == nearly(expected["precisions"][i]));
      CHECK(score.brevity_penalty == nearly(expected["brevity_penalty"]));
      CHECK(score.hypothesis_length == expected["hypothesis_length"]);
      CHECK(score.reference_length == expected["reference_length"]);
      CHECK(score.signature == expected["signature"]);
      CHECK(summary(score) == expected["summary"]);
    }
  }
}

TEST_CASE("bleu: chrF is sacreBLEU's") {
  for (const auto& test : fixture()) {
    for (const auto& expected : test["chrf"]) {
      CAPTURE(test["name"], expected["lowercase"]);
      const ChrfScore score = chrf(test["hypotheses"].get<Sentences>(), test["references"].get<References>(),
                                   expected["lowercase"]);
      CHECK(score.score == nearly(expected["score"]));
      CHECK(score.signature == expected["signature"]);
      CHECK(summary(score) == expected["summary"]);
    }
  }
}

TEST_CASE("bleu: the fixture covers scores of all sizes") {
  int zero = 0, low = 0, high = 0, perfect = 0;
  for (const auto& test : fixture()) {
    const double score = test["bleu"][0]["score"];
    ++(score == 0 ? zero : score < 50 ? low : score < 99.9 ? high : perfect);
  }
  CHECK((zero > 1 && low > 5 && high > 5 && perfect > 0));
}

TEST_CASE("bleu: a score worked out by hand") {
  // Matched: 5 of 6 words, 3 of 5 pairs, 1 of 4 triples and none of 3 groups of four, which counts as half a
  // match.
  const BleuScore score = bleu({"the cat sat in the mat"}, {{"the cat sat on the mat"}});
  CHECK(score.precisions[0] == nearly(100 * 5 / 6.));
  CHECK(score.precisions[1] == nearly(100 * 3 / 5.));
  CHECK(score.precisions[2] == nearly(100 * 1 / 4.));
  CHECK(score.precisions[3] == nearly(100 * 0.5 / 3.));
  CHECK(score.score == nearly(100 * std::pow(5 / 6. * 3 / 5. * 1 / 4. * 0.5 / 3., 0.25)));
}

TEST_CASE("bleu: missing sentences and references are refused") {
  CHECK_THROWS_WITH(
      bleu({"a"}, {}),
      "bleu: each hypothesis must have its references, and there must be one: there are 1 hypotheses and "
      "references for 0");
  CHECK_THROWS_AS(bleu({}, {}), std::invalid_argument);
  CHECK_THROWS_WITH(bleu({"a", "b"}, {{"a"}, {}}),
                    "bleu: each hypothesis must have a reference: sentence 1 has none");
  CHECK_THROWS_AS(chrf({"a", "b"}, {{"a"}}), std::invalid_argument);
  CHECK_THROWS_AS(bleu({"caf\xE9"}, {{"a"}}), std::invalid_argument);
}
