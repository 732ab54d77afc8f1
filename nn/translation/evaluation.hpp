// How good translations are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <gradual/nn/drawing/result_table.hpp>
#include <gradual/nn/text/bleu.hpp>
#include <gradual/nn/translation/minimum_risk.hpp>
#include <gradual/nn/translation/translator.hpp>

namespace gradual {

/// Sentences that were not trained on.
struct HeldOutSet {
  std::string name;                 ///< such as "held-out"
  std::vector<SentencePair> pairs;  ///< with all right translations
};

/// Greedy search that cuts no translation short: a model of characters writes hundreds of tokens.
inline BeamOptions usual_search() {
  BeamOptions search;
  search.beam_size = 1;
  search.max_length = 1000;
  return search;
}

/// How translations are searched for and judged.
struct TestSettings {
  BeamOptions search = usual_search();  ///< how translations are searched for
  double reverse_weight = 0;            ///< of how well they lead back, for a model that learns both ways
  BleuOptions bleu;                     ///< how they are judged
  MinimumRiskOptions minimum_risk;      ///< where it is wanted; it counts as `bleu` says
  std::uint64_t seed = 1;               ///< of what is drawn for that
};

/// A distinct source sentence with all its known translations, and the model's.
struct Judged {
  std::string source;                   ///< the sentence
  std::vector<std::string> references;  ///< its right translations
  std::string translation;              ///< the model's own

  /// Whether the translation is one of the references.
  bool right() const;
  std::string lines() const;  // for people
};

/// BLEU of translations against all their references.
BleuScore bleu(const std::vector<Judged>& sentences, const BleuOptions& options);
/// What each of them counts there.
std::vector<BleuCounts> bleu_counts(const std::vector<Judged>& sentences, const BleuOptions& options);

/// How well a model translates a text, and what it wrote.
struct Evaluation {
  std::string name;               // of the test set
  std::vector<Judged> sentences;  // each with its translation
  double exact = 0;               // share of translations that equal a reference
  double perplexity = 0;          // of the references' tokens, the end token among them
  double token_accuracy = 0;      // share of those tokens that are the likeliest after the right ones before
  bool lower_case = false;  // the model writes lower case: so are its references, and all scores `case:lc`
  BleuScore bleu{};
  ChrfScore chrf{};                 // both against all references
  double seconds = 0;               // of translating
  Index too_long = 0;               // pairs that were left out
  std::optional<Index> trained_on;  // how many of the sentences are, where it was counted

  std::vector<ResultTable::Cell> row() const;  // of score_table()
  std::string first_sentences() const;         // ten of them, for people
};

/// A table for people, without a row yet: a row() of each evaluation may follow. The signatures are in
/// figures().
ResultTable score_table();

/// Those of the pairs that the translator has room for.
std::vector<SentencePair> with_room(const Translator& translator, const std::vector<SentencePair>& pairs);
/// Translates the distinct sources of some pairs, of which none is too long for the translator.
std::vector<Judged> judge(const Translator& translator, const std::vector<SentencePair>& pairs,
                          const BeamOptions& search, const MinimumRiskOptions& minimum_risk = {},
                          Random random = Random(1));
/// Those of a held-out set. Throws std::invalid_argument where there are none.
std::vector<SentencePair> pairs_with_room(const Translator& translator, const HeldOutSet& set);
/// Translates a held-out set and judges the result. Throws what pairs_with_room() throws.
Evaluation evaluate(const Translator& translator, const HeldOutSet& set, const TestSettings& settings);
/// How the choice of what counts as a word moves the BLEU of the same translations: a table for people.
std::string bleu_table(const Evaluation& evaluation);
/// The figures of some evaluations, each under its name, as a JSON object in one line; with `all_bleu`, also
/// what bleu_table() has. Bytes of a name that are not UTF-8 are replaced.
std::string figures(const std::vector<Evaluation>& evaluations, bool all_bleu = false);

}  // namespace gradual
