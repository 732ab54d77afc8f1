// What the server answers, whatever brings it the questions.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

#include <gradual/nn/translation/translator.hpp>

#include "../../http/server.hpp"
#include "serve.hpp"

/// How many characters a sentence to translate has at most.
constexpr std::size_t longest_sentence = 1000;

/// `{"error": problem}`.
HttpResponse refusal(int status, const std::string& problem);

/// What a request asks for.
struct Question {
  std::string sentence;
  gradual::Index beam;
  bool html, tree;

  /// Whether it is answered while a person waits: one that is not must not keep such a one waiting.
  bool is_short() const;
};

/// A request, a JSON object:
/// - `sentence`: to translate, up to `longest_sentence` characters;
/// - `beam`: how many translations are followed at a time, up to 10 or `search.beam_size`, which is the
///   default;
/// - `html`: true: with everything there is to see as HTML, for the page;
/// - `tree`: true: with the tree of the search.
///
/// Throws std::invalid_argument for a bad one.
Question question_from(const std::string& request, const gradual::BeamOptions& search);

/// What ends an answer that is not wanted any more, or takes too long: `search.before_word` throws it.
struct CalledOff : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The answer has the translation, the best that were found with their scores, the words that the model does
/// not know, and for each word its probability, its five nearest rivals with theirs, and its attention to the
/// words of the source. A sentence that the model cannot take gets status 400, and one whose translation is
/// called off 503.
HttpResponse answer(const gradual::Translator& translator, const gradual::BeamOptions& search,
                    const Question& question);

/// Whether a Host header is one that this machine is known by: an IP address, `localhost`, or `host`. Any
/// other name may be one that a page elsewhere made to point here (DNS rebinding).
bool is_own_name(const std::string& host_header, const std::string& host);

/// The page, with sentences to begin with and what the model knows. `nonce` marks its scripts, so that no
/// other script runs on it.
std::string translation_page(const gradual::Translator& translator, const ServeSettings& settings,
                             const std::string& nonce);
