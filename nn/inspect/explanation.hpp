// Why a translation became what it is.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gradual/nn/decoding/beam_tree.hpp>
#include <gradual/nn/drawing/attention_map.hpp>
#include <gradual/nn/drawing/page/html.hpp>

namespace gradual {

/// A word of a translation: what could have stood in its place, and what the model looked at.
struct ExplainedWord {
  std::string word;                                    ///< of the translation
  double probability;                                  ///< given the source and the words before
  std::vector<std::pair<std::string, double>> rivals;  ///< other words with theirs, the likeliest first
  std::vector<double> attention;  ///< to each word of the source; empty for a model without attention
};

/// A translation that a search found.
struct RankedTranslation {
  std::string text;        ///< the translation
  double score;            ///< that the search ranks by
  double log_probability;  ///< Σ log p of its tokens and the end token
};

/// A sentence, its translation, and what the search for it explored.
struct Explanation {
  std::string source;                     ///< the sentence that was translated
  std::vector<std::string> source_words;  ///< as the model reads them, the end of the sentence among them
  std::vector<std::string> unknown;       ///< of these, what the model's vocabulary does not have
  std::string known_as = {};              ///< the sentence in letters that it does know; may be empty
  std::string note = {};                  ///< what is odd about it or its translation; may be empty
  std::vector<RankedTranslation> ranked;  ///< the best first
  std::vector<ExplainedWord> words;       ///< of the best, the end of the sentence among them
  bool scored_by_length = true;           ///< its score is divided by a penalty that grows with the length
  std::vector<std::string> also_scored;   ///< what else the score has in it beside log P
  BeamTree tree;                          ///< with the ranked ones as its results
  std::vector<std::string> tree_words;    ///< one for each of its nodes
  /// ε of the loss that the model was trained with, 0 where it was trained without; empty where that is not
  /// known.
  std::optional<double> label_smoothing = {};

  /// The best translation.
  const std::string& translation() const { return ranked.front().text; }
  /// Says this, too, if anything.
  void add_note(const std::string& words) { note += (note.empty() || words.empty() ? "" : "; ") + words; }
};

/// What is odd about it; the words that the model does not know; why even a sure word has less than 1, where
/// that is so; the words of the translation, of which the reader chooses one to see its rivals and its
/// attention; a map of all that attention; the ranked translations; the tree. Of a long translation the
/// beginning is shown, of a long source the words that are looked at most, with "…" for the others, and it is
/// said how many: no page grows with the square of a sentence. Throws std::invalid_argument when attention is
/// neither empty nor one for each word of the source, and like draw_search_tree.
Html explanation_content(const Explanation& explanation);

/// All of it as JSON, whatever its size: `sentence`, `translation`, `n_best` with scores, `source_words`,
/// `unknown`, `known_as`, `note`, `words` with their rivals and attention; with the tree also `tree`, a list
/// of its nodes.
std::string explanation_json(const Explanation& explanation, bool with_tree);

}  // namespace gradual
