// How good translations are.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <gradual/nn/text/bleu.hpp>
#include <gradual/nn/translation/translator.hpp>

#include "corpora.hpp"

/// A distinct source sentence with all its known translations, and the model's.
struct Judged {
  std::string source;
  std::vector<std::string> references;
  std::string translation;

  bool right() const;
  std::string lines() const;  // for people
};

/// BLEU of translations against all their references.
gradual::BleuScore bleu(const std::vector<Judged>& sentences, const gradual::BleuOptions& options);

struct Evaluation {
  std::string name;
  std::vector<Judged> sentences;
  double exact = 0;           // share of translations that equal a reference
  double perplexity = 0;      // of the references' tokens, the end token among them
  double token_accuracy = 0;  // share of those tokens that are the likeliest after the right ones before
  bool lower_case = false;    // the model writes lower case: so are its references, and all scores `case:lc`
  gradual::BleuScore bleu{};
  gradual::ChrfScore chrf{};    // both against all references
  double seconds = 0;           // of translating
  gradual::Index too_long = 0;  // pairs that were left out

  std::string line() const;             // for people: the signatures are in to_json()
  std::string first_sentences() const;  // ten of them, for people
};

/// Translates the distinct sources of some pairs, of which none is too long for the translator.
std::vector<Judged> judge(const gradual::Translator& translator,
                          const std::vector<gradual::SentencePair>& pairs,
                          const gradual::BeamOptions& search);
/// Translates a held-out set and judges the result.
Evaluation evaluate(const gradual::Translator& translator, const HeldOutSet& set,
                    const TestSettings& settings);
/// How the choice of what counts as a word moves the BLEU of the same translations: a table for people.
std::string bleu_table(const Evaluation& evaluation);
/// With `all_bleu`, also what bleu_table() has.
nlohmann::ordered_json to_json(const std::vector<Evaluation>& evaluations, bool all_bleu = false);
