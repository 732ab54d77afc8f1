// Search for the translation that is most like everything that the model might have written.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <gradual/core/names.hpp>
#include <gradual/nn/text/bleu.hpp>
#include <gradual/nn/translation/translator.hpp>

namespace gradual {

/// What says how good a translation is where another one is right.
enum class Utility {
  chrf,  ///< chrF2 of the sentence
  bleu   ///< its BLEU: BleuCounts::sentence_score()
};
/// Their names.
inline const Names<Utility>& utilities() {
  static const Names<Utility> names("minimum risk: the utility",
                                    {{"chrf", Utility::chrf}, {"bleu", Utility::bleu}});
  return names;
}

/// How many translations are drawn for a sentence, and how they are compared.
struct MinimumRiskOptions {
  Index samples = 0;                ///< translations to draw for each sentence; 0: this search is not wanted
  double temperature = 1;           ///< that they are drawn with
  Utility utility = Utility::chrf;  ///< how alike two translations are
  BleuOptions bleu;                 ///< what that counts, where it is the utility
};

/// u(candidate, right translation).
using UtilityFunction =
    std::function<double(const std::string& candidate, const std::string& right_translation)>;
/// How the options say that translations are compared. What is the same is worth 100: nothing and nothing,
/// too, which have no n-grams to share.
UtilityFunction utility_of(const MinimumRiskOptions& options);

/// The expected utility of each candidate h where the samples y₁ … y_N stand for what may be right,
///
///     1/N · Σ_i u(h, y_i)
///
/// (Eikema and Aziz 2020; minimum Bayes risk of Kumar and Byrne 2004). Throws std::invalid_argument without
/// samples.
std::vector<double> expected_utilities(const std::vector<std::string>& candidates,
                                       const std::vector<std::string>& samples,
                                       const UtilityFunction& utility);

/// For each sentence the search.n_best translations of the highest expected utility, which is their score,
/// the best first: among the distinct ones that were drawn, and the one that the search finds, which counts
/// as no sample. There may be fewer. Sentences are shared among the threads; what is drawn depends on a
/// sentence's place in the list alone. Throws std::invalid_argument for no samples, an n_best below 1, a
/// bad temperature or a sentence that is too long.
std::vector<std::vector<Hypothesis>> search_by_minimum_risk(const Translator& translator,
                                                            const std::vector<std::string>& sentences,
                                                            const BeamOptions& search,
                                                            const MinimumRiskOptions& options, Random random);

}  // namespace gradual
