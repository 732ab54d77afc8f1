#include "answer.hpp"

#include <algorithm>
#include <cctype>

#ifdef _WIN32
#include <ws2tcpip.h>
#else
#include <arpa/inet.h>
#endif

#include <nlohmann/json.hpp>

#include <gradual/core/error.hpp>
#include <gradual/nn/inspect/explain.hpp>
#include <gradual/nn/text/corpus.hpp>
#include <gradual/nn/text/utf8.hpp>

using namespace gradual;
using Json = nlohmann::ordered_json;

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

HttpResponse json_response(int status, const Json& json) {
  return {status, "application/json", json.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

std::string in_lower_case(std::string name) {
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

}  // namespace

HttpResponse refusal(int status, const std::string& problem) {
  return json_response(status, {{"error", problem}});
}

Question question_from(const std::string& text_of_request, const BeamOptions& search) {
  const Json request = Json::parse(text_of_request, nullptr, false);
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
  if (characters.size() > longest_sentence)
    throw std::invalid_argument(text("request: \"sentence\" must have at most ", longest_sentence,
                                     " characters: it has ", characters.size()));
  const Index widest = std::max(widest_beam, search.beam_size);
  if (question.beam < 1 || question.beam > widest)
    throw std::invalid_argument(
        text("request: \"beam\" must lie in 1 … ", widest, ": it is ", question.beam));
  return question;
}

bool Question::is_short() const {
  constexpr std::size_t most = 1000;  // characters, times beam
  return sentence.size() * static_cast<std::size_t>(beam) <= most;
}

HttpResponse answer(const Translator& translator, const BeamOptions& search, const Question& question) {
  try {
    BeamOptions options = search;
    options.beam_size = question.beam;
    options.n_best = std::min<Index>(question.beam, 5);
    const Explanation explanation = explain(translator, question.sentence, options);
    if (options.before_word) options.before_word();
    Json json = Json::parse(explanation_json(explanation, question.tree));
    if (question.html) json["html"] = explanation_content(explanation).str();
    return json_response(200, json);
  } catch (const std::invalid_argument& error) {  // what a model cannot take, such as too many words
    return refusal(400, error.what());
  } catch (const CalledOff& error) {
    return refusal(503, error.what());
  }
}

bool is_own_name(const std::string& host_header, const std::string& host) {
  const bool bracketed = !host_header.empty() && host_header.front() == '[';
  const std::string name = in_lower_case(bracketed ? host_header.substr(1, host_header.find(']') - 1)
                                                   : host_header.substr(0, host_header.find(':')));
  unsigned char address[sizeof(in6_addr)];
  if (bracketed) return inet_pton(AF_INET6, name.c_str(), address) == 1;
  return inet_pton(AF_INET, name.c_str(), address) == 1 || name == "localhost" ||
         (!name.empty() && name == in_lower_case(host));
}
