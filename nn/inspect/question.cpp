#include <gradual/nn/inspect/question.hpp>

#include <algorithm>
#include <stdexcept>

#include <gradual/core/error.hpp>
#include <gradual/nn/inspect/explain.hpp>
#include <gradual/nn/json.hpp>
#include <gradual/nn/text/corpus.hpp>
#include <gradual/nn/text/utf8.hpp>

namespace gradual {
namespace {

constexpr Index widest_beam = 10;

// A member of the request; throws std::invalid_argument where it is of another type.
template <class Value>
Value member(const Json& request, const char* name, Json::value_t type, const char* meaning,
             Value otherwise) {
  if (!request.contains(name)) return otherwise;
  const Json& value = request[name];
  const bool integers = value.is_number_integer() && type == Json::value_t::number_integer;
  if (value.type() != type && !integers)
    throw std::invalid_argument(text("request: \"", name, "\" must be ", meaning));
  return value.get<Value>();
}

}  // namespace

Question question_from(const std::string& json, const BeamOptions& search) {
  const Json request = json_of(json);
  if (request.is_discarded() || !request.is_object())
    throw std::invalid_argument("request: it must be a JSON object, in UTF-8");
  Question question;
  question.sentence = member<std::string>(request, "sentence", Json::value_t::string, "a text", "");
  question.beam = member(request, "beam", Json::value_t::number_integer, "a whole number", search.beam_size);
  question.html = member(request, "html", Json::value_t::boolean, "true or false", false);
  question.tree = member(request, "tree", Json::value_t::boolean, "true or false", false);
  question.sentence = clean_sentence(question.sentence);  // line breaks too: it is one sentence
  const std::u32string characters = decode_utf8(question.sentence);
  if (std::all_of(characters.begin(), characters.end(), is_space))
    throw std::invalid_argument("request: \"sentence\" must have something to translate");
  if (characters.size() > Question::longest_sentence)
    throw std::invalid_argument(text("request: \"sentence\" must have at most ", Question::longest_sentence,
                                     " characters: it has ", characters.size()));
  const Index widest = std::max(widest_beam, search.beam_size);
  if (question.beam < 1 || question.beam > widest)
    throw std::invalid_argument(
        text("request: \"beam\" must lie in 1 … ", widest, ": it is ", request["beam"].dump()));
  return question;
}

bool Question::is_short() const {
  constexpr std::size_t most = 1000;  // characters, times beam
  return sentence.size() * static_cast<std::size_t>(beam) <= most;
}

std::string answer_json(
    const Translator& translator, const BeamOptions& search, const Question& question,
    const std::function<std::string(const std::string& source, const std::string& translation)>& note) {
  BeamOptions options = search;
  options.beam_size = question.beam;
  options.n_best = std::min<Index>(question.beam, 5);
  Explanation explanation = explain(translator, question.sentence, options);
  if (note) explanation.add_note(note(question.sentence, explanation.translation()));
  if (options.before_word) options.before_word();
  Json json = json_of(explanation_json(explanation, question.tree));
  if (question.html) json["html"] = explanation_content(explanation).str();
  return clean_json_text(json);
}

}  // namespace gradual
