#include "serve.hpp"

#include <iostream>
#include <map>
#include <random>
#include <stdexcept>
#include <utility>

#include <gradual/core/error.hpp>
#include <gradual/nn/inspect/question.hpp>
#include <gradual/nn/json.hpp>
#include <gradual/nn/training/interruption.hpp>

#include "../../http/own_name.hpp"
#include "../../http/server.hpp"
#include "../doubts.hpp"
#include "../known_text.hpp"
#include "translation_page.hpp"

#ifdef GRADUAL_MICROHTTPD

using namespace gradual;

namespace {

constexpr std::chrono::seconds longest_answer{10};

// What ends an answer that is not wanted any more, or takes too long.
struct CalledOff : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::string new_nonce() {
  std::random_device chance;
  std::string nonce;
  for (int i = 0; i < 32; ++i) nonce += "0123456789abcdef"[chance() % 16];
  return nonce;
}

// A page elsewhere may send requests here, but not of this type without asking first, and nobody allows it;
// and it says where it comes from.
bool comes_from_elsewhere(const HttpRequest& request) {
  const std::string origin = request.header("origin");
  return !origin.empty() && origin != "http://" + request.header("host");
}

HttpResponse with_headers(HttpResponse response) {
  response.headers.emplace_back("X-Content-Type-Options", "nosniff");
  response.headers.emplace_back("Cache-Control", "no-store");
  return response;
}

HttpResponse json_response(int status, std::string json) {
  return with_headers({status, "application/json", std::move(json)});
}

HttpResponse refusal(int status, const std::string& problem) {
  return json_response(status, clean_json_text({{"error", problem}}));
}

HttpResponse refusal_of(int status) {
  static const std::map<int, std::string> problems = {
      {404, "there is nothing here but / and POST /translate"},
      {411, "the request must say how long it is (Content-Length)"},
      {413, text("a request has at most ", ServerLimits().body, " bytes")},
      {415, "the request must be of the type application/json, and not compressed"},
      {500, "the translation failed"},
      {503, "too many questions are waiting already; ask again in a while"}};
  HttpResponse response = refusal(status, problems.at(status));
  if (status == 503) response.headers.emplace_back("Retry-After", "2");
  return response;
}

HttpResponse page(const Translator& translator, const ServeSettings& settings) {
  const std::string nonce = new_nonce();
  HttpResponse response{200, "text/html; charset=utf-8", translation_page(translator, settings, nonce)};
  response.headers = {{"Content-Security-Policy",
                       "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; "
                       "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; script-src 'nonce-" +
                           nonce + "'"}};
  return with_headers(response);
}

Reply translation(const Translator& translator, const ServeSettings& settings, const LearntFrom& learnt,
                  const HttpRequest& request) {
  if (request.header("content-type").rfind("application/json", 0) != 0) return {refusal_of(415)};
  try {
    const Question question = question_from(request.body, settings.search);
    return {{},
            [&, question](const std::function<bool()>& unwanted) {
              BeamOptions search = settings.search;
              search.before_word = [&, end = std::chrono::steady_clock::now() + longest_answer] {
                if (unwanted()) throw CalledOff("nobody waits for the answer any more");
                if (std::chrono::steady_clock::now() > end)
                  throw CalledOff(text("the answer takes longer than ", longest_answer.count(),
                                       " s; a shorter sentence or a narrower beam takes less"));
              };
              try {
                return json_response(200, answer_json(translator, search, question,
                                                      [&](const auto& source, const auto& written) {
                                                        return doubt_about(source, written, learnt).words;
                                                      }));
              } catch (const std::invalid_argument& error) {  // what a model cannot take
                return refusal(400, error.what());
              } catch (const CalledOff& error) {
                return refusal(503, error.what());
              }
            },
            question.is_short()};
  } catch (const std::invalid_argument& error) {
    return {refusal(400, error.what())};
  }
}

Reply reply_to(const HttpRequest& request, const Translator& translator, const ServeSettings& settings,
               const LearntFrom& learnt) {
  if (!is_own_name(request.header("host"), settings.host) || comes_from_elsewhere(request))
    return {refusal(403, "this server answers to its own address alone")};
  const bool reads = request.method == "GET" || request.method == "HEAD";
  if (reads && request.path == "/") return {page(translator, settings)};
  if (reads && request.path == "/favicon.ico") return {with_headers({204, "", ""})};
  if (request.method == "POST" && request.path == "/translate")
    return translation(translator, settings, learnt, request);
  return {refusal_of(404)};
}

}  // namespace

void serve(const Translator& translator, const ServeSettings& settings) {
  const LearntFrom learnt(sets_to_try(settings.model));
  const auto make_server = [&] {
    try {
      return std::make_unique<HttpServer>(
          settings.host, settings.port,
          [&](const HttpRequest& request) { return reply_to(request, translator, settings, learnt); },
          refusal_of);
    } catch (const std::runtime_error& error) {
      throw std::runtime_error(text("serve: ", settings.host, " port ", settings.port, " cannot be used: ",
                                    error.what(), "; choose others with --host and --port"));
    }
  };
  const std::unique_ptr<HttpServer> server = make_server();
  const Interruption interruption;
  const bool bracketed = settings.host.find(':') != std::string::npos;
  std::cout << "http://" << (bracketed ? "[" : "") << settings.host << (bracketed ? "]" : "") << ":"
            << server->port() << "/  (Ctrl-C ends)" << std::endl;
  server->run([&] { return interruption.signal() != 0; });
}

#else

void serve(const gradual::Translator&, const ServeSettings&) {
  throw std::runtime_error(
      "serve: this build has no libmicrohttpd; install libmicrohttpd-dev and configure again");
}

#endif
