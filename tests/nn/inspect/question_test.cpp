#include <gradual/nn/inspect/question.hpp>

#include <stdexcept>

#include <nlohmann/json.hpp>

#include <gradual/nn/transformer/config.hpp>

#include "support/catch.hpp"
#include "support/files.hpp"

using namespace gradual;

namespace {

Translator small_translator() {
  TransformerConfig config;
  config.width = 8;
  config.heads = 2;
  config.feed_forward = 8;
  config.encoder_layers = config.decoder_layers = 1;
  config.max_length = 10;
  config.positions = "learned";  // which end there
  const Language words{Tokenizer(), Vocabulary::build({{"a", "b", "c"}})};
  return Translator(config, words, words, Random(3));
}

BeamOptions search_of(Index beam) {
  BeamOptions search;
  search.beam_size = beam;
  search.max_length = 5;
  return search;
}

}  // namespace

TEST_CASE("question: a sentence is enough, and the search's beam is taken unless another is named") {
  const Question plain = question_from(R"({"sentence": " a\nb "})", search_of(3));
  CHECK(plain.sentence == "a b");
  CHECK(plain.beam == 3);
  CHECK_FALSE(plain.html);
  CHECK_FALSE(plain.tree);
  const Question full =
      question_from(R"({"sentence": "a", "beam": 10, "html": true, "tree": true})", search_of(3));
  CHECK(full.beam == 10);
  CHECK(full.html);
  CHECK(full.tree);
  CHECK(question_from(R"({"sentence": "a", "beam": 20})", search_of(20)).beam == 20);
}

TEST_CASE("question: what is no question is refused with the member that is wrong") {
  const auto problem = [](const std::string& json) {
    return message_of<std::invalid_argument>([&] { question_from(json, search_of(3)); });
  };
  CHECK(problem("[1]").find("a JSON object") != std::string::npos);
  CHECK(problem("{\"sentence\": \"\xff\"}").find("UTF-8") != std::string::npos);
  CHECK(problem("{}").find("\"sentence\" must have something") != std::string::npos);
  CHECK(problem(R"({"sentence": 1})").find("\"sentence\" must be a text") != std::string::npos);
  CHECK(problem(R"({"sentence": "a", "beam": 1.5})").find("\"beam\" must be a whole number") !=
        std::string::npos);
  CHECK(problem(R"({"sentence": "a", "beam": 11})").find("1 … 10: it is 11") != std::string::npos);
  CHECK(problem(R"({"sentence": "a", "beam": 18446744073709551615})").find("it is 18446744073709551615") !=
        std::string::npos);
  CHECK(problem(R"({"sentence": "a", "html": 1})").find("\"html\" must be true or false") !=
        std::string::npos);
  const std::string longest(1000, 'a');
  CHECK(problem("{\"sentence\": \"" + longest + "a\"}").find("it has 1001") != std::string::npos);
  CHECK(question_from("{\"sentence\": \"" + longest + "\"}", search_of(1)).sentence == longest);
}

TEST_CASE("question: whether a person waits for it goes by its length and its beam") {
  CHECK(Question{std::string(200, 'a'), 5, false, false}.is_short());
  CHECK_FALSE(Question{std::string(201, 'a'), 5, false, false}.is_short());
}

TEST_CASE("question: the answer has the translation, and the page and the tree where they are wanted") {
  const Translator translator = small_translator();
  using Json = nlohmann::json;
  const Json plain = Json::parse(answer_json(translator, search_of(3), {"a b", 2, false, false}));
  CHECK(plain.at("sentence") == "a b");
  CHECK(plain.at("n_best").size() == 2);
  CHECK_FALSE(plain.contains("html"));
  CHECK_FALSE(plain.contains("tree"));
  const Json full = Json::parse(answer_json(translator, search_of(3), {"a <q> b", 10, true, true}));
  CHECK(full.at("n_best").size() == 5);
  CHECK(full.contains("tree"));
  const std::string html = full.at("html");
  CHECK(html.find("&lt;") != std::string::npos);
  CHECK(html.find("<q>") == std::string::npos);
}

TEST_CASE("question: what there is to note about a sentence and its translation stands in the answer") {
  const Translator translator = small_translator();
  const auto answer = [&](const std::string& sentence) {
    return nlohmann::json::parse(answer_json(translator, search_of(2), {sentence, 2, true, false},
                                             [](const std::string& source, const std::string& written) {
                                               return source == "a" ? "" : source + " gave " + written;
                                             }));
  };
  const nlohmann::json odd = answer("a b");
  CHECK(odd.at("note") == "a b gave " + odd.at("translation").get<std::string>());
  CHECK(odd.at("html").get<std::string>().find("Note: a b gave") != std::string::npos);
  CHECK_FALSE(answer("a").contains("note"));
}

TEST_CASE("question: an answer ends where it is called off, or where the model cannot take the sentence") {
  const Translator translator = small_translator();
  BeamOptions search = search_of(2);
  CHECK_THROWS_AS(answer_json(translator, search, {"a b c a b c a b c a b c", 2, false, false}),
                  std::invalid_argument);
  search.before_word = [] { throw std::runtime_error("enough"); };
  CHECK_THROWS_AS(answer_json(translator, search, {"a", 2, false, false}), std::runtime_error);
}
