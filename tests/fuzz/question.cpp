// Questions to `translate serve`: the body of a request, and the name by which it calls the server.
#include <stdexcept>

#include <gradual/nn/inspect/question.hpp>

#include "../../examples/http/own_name.hpp"
#include "change_json.hpp"

namespace gradual::fuzz {
namespace {

const Translator& small_translator() {
  static const Translator translator = [] {
    TransformerConfig config;
    config.width = 4;
    config.heads = 2;
    config.feed_forward = 4;
    config.encoder_layers = config.decoder_layers = 1;
    config.max_length = 40;
    const Language language{Tokenizer(TokenizerSettings()),
                            Vocabulary::build({{"a", "b", "<", "\"", "&", "."}})};
    return Translator(config, language, language, Random(1));
  }();
  return translator;
}

void require(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

}  // namespace

void take_question(const std::string& bytes) {
  for (const char* host : {"localhost", "::1", "example.org"}) {
    static_cast<void>(is_own_name(bytes, host));
    const bool has_port = bytes.find_first_of(":[") != std::string::npos;  // what follows is not looked at
    require(has_port || !is_own_name(bytes + ".evil", host), "a stranger's name is the server's own");
  }
  BeamOptions search;
  search.max_length = 6;
  Question question{};
  try {
    question = question_from(bytes, search);
  } catch (const std::invalid_argument&) {
    return;
  }
  if (question.sentence.size() > 100) return;  // long ones take their time, and are tested by others
  std::string answer;
  try {
    answer = answer_json(small_translator(), search, question);
  } catch (const std::invalid_argument& error) {
    require(*error.what() != '\0', "a refusal without its reason");
    return;
  }
  const std::string html = Json::parse(answer).value("html", "");
  require(html.find("<script") == std::string::npos, "the sentence runs on the page");
}

std::string change_question(const std::string& bytes, Random random, const ChangeBytes& change_bytes) {
  Json json = Json::parse(bytes, nullptr, false);
  if (json.is_discarded()) return change_bytes(bytes);
  change_json(json, random, change_bytes);
  return text_of(json);
}

}  // namespace gradual::fuzz
