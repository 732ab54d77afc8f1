// Models that earlier versions wrote are read by this one. The files stay as they are; a new format gets
// files beside them.
#include <string>
#include <vector>

#include <gradual/nn/recurrent/translator.hpp>
#include <gradual/nn/text/subwords.hpp>
#include <gradual/nn/transformer/config_json.hpp>
#include <gradual/nn/translation/translator.hpp>

#include "support/catch.hpp"

using namespace gradual;

namespace {

Translator kept(const std::string& name) {
  return Translator::load(std::string(GRADUAL_SOURCES) + "/tests/nn/translation/kept/" + name +
                          ".safetensors");
}

// As version 0.1.0 gave it, to the digits that every processor agrees on.
void check_scores(const Translator& translator, const std::vector<double>& log_probabilities) {
  const std::vector<SentencePair> pairs = {
      {"These parks are not very beautiful.", "Ces parcs ne sont pas très beaux."},
      {"Is the dog happy?", "Est-ce que le chien est heureux ?"},
      {"You are under the woman's small house, sir.",
       "Vous êtes sous la petite maison de la femme, monsieur."},
      {"We do not come from my park.", "Nous ne venons pas de mon parc."}};
  const std::vector<ScoredTranslation> scores = translator.score(pairs);
  REQUIRE(scores.size() == log_probabilities.size());
  for (std::size_t i = 0; i < scores.size(); ++i)
    CHECK(scores[i].log_probability == Approx(log_probabilities[i]).margin(2e-3));
}

}  // namespace

TEST_CASE("kept model: a transformer of version 0.1.0 is read, and says what it said") {
  const Translator translator = kept("transformer-0.1.0");
  CHECK(transformer_config_from_json(translator.config().settings).width == 16);
  CHECK(translator.notes().find("steps = 500\n") != std::string::npos);
  CHECK(translator.translate({"I am under the good house.", "You are under the woman's small house, sir."}) ==
        std::vector<std::string>{"Je suis sous la bonne maison.",
                                 "Vous êtes sous la petite maison de Marie, monsieur."});
  check_scores(translator, {-8.1885, -9.2519, -10.8606, -8.3118});
}

TEST_CASE("kept model: an LSTM of version 0.1.0 that reads subwords is read, and says what it said") {
  if (!Subwords::available()) return;
  const Translator translator = kept("recurrent-subwords-0.1.0");
  CHECK(recurrent_config_from_json(translator.config().settings).cell == CellKind::lstm);
  check_scores(translator, {-45.0975, -31.4238, -82.2460, -47.0973});
}
