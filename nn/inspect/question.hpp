// What a program asks a translator for, and its answer, both as JSON.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include <gradual/nn/translation/translator.hpp>

namespace gradual {

/// A sentence to translate, and what to tell of it.
struct Question {
  static constexpr std::size_t longest_sentence = 1000;  ///< characters

  std::string sentence;
  Index beam;  ///< how many translations are followed at a time
  bool html;   ///< with everything there is to see, as HTML
  bool tree;   ///< with the tree of the search

  /// Whether it is answered while a person waits: one that is not must not keep such a one waiting.
  bool is_short() const;
};

/// From a JSON object with the members of a question, of which only `sentence` is needed; `beam` is at most
/// 10, or search.beam_size, which it is unless said otherwise. Throws std::invalid_argument for any other
/// text.
Question question_from(const std::string& json, const BeamOptions& search);

/// What explanation_json() has of the translation: it, the best that were found with their scores, the words
/// that the model does not know, and for each word its probability, its five nearest rivals and its
/// attention; and `html` where that is wanted. `note` tells what is odd about a sentence and its translation,
/// or nothing; it stands in both. Throws std::invalid_argument for a sentence that the model cannot take, and
/// what search.before_word throws.
std::string answer_json(
    const Translator& translator, const BeamOptions& search, const Question& question,
    const std::function<std::string(const std::string& source, const std::string& translation)>& note = {});

}  // namespace gradual
