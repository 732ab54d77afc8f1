// How good translations are: BLEU and chrF, equal to those of sacreBLEU 2 to the last digits.
#pragma once

#include <array>
#include <string>
#include <vector>

#include <gradual/core/names.hpp>
#include <gradual/core/real.hpp>

namespace gradual {

/// What counts as a word for BLEU. The choice moves the score, so it is a part of the signature.
enum class BleuTokens {
  mteval_13a,  ///< "13a": punctuation apart, for text as people write it
  none,        ///< "none": what stands between spaces, for text that is already tokenised
  characters   ///< "char": each character
};
/// Their names.
inline const Names<BleuTokens>& bleu_tokens() {
  static const Names<BleuTokens> names(
      "BLEU: the tokens",
      {{"13a", BleuTokens::mteval_13a}, {"none", BleuTokens::none}, {"char", BleuTokens::characters}});
  return names;
}

/// What BLEU counts.
struct BleuOptions {
  BleuTokens tokens = BleuTokens::mteval_13a;  ///< what counts as a word
  bool lowercase = false;                      ///< as lower_case does it
};

/// BLEU of a text, with what it is made of.
struct BleuScore {
  double score;                               ///< 0 to 100
  std::array<double, 4> precisions;           ///< of n-grams of one to four words, in per cent, smoothed
  double brevity_penalty;                     ///< 0 to 1
  Index hypothesis_length, reference_length;  ///< in words
  std::string signature;                      ///< how it was computed, as in
                          ///< "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:gradual"
};

/// The BLEU of a corpus, where `references[i]` are all the right translations for `hypotheses[i]`:
///
///     BLEU = BP·exp(¼·Σₙ log pₙ),   n = 1 … 4
///     BP = min(1, exp(1 - reference_length / hypothesis_length))
///
/// with pₙ the share of n-grams in the hypotheses that occur in a reference, each no more often than there.
/// The k-th pₙ without any match counts as 1 / (2ᵏ · n-grams) (exponential smoothing); with no match at all
/// the score is 0. The reference length is that of the reference nearest in length, the shorter one of two.
/// Throws std::invalid_argument when there is no hypothesis, the numbers of sentences differ, a sentence has
/// no reference, or text is not UTF-8. Papineni et al. 2002; Chen and Cherry 2014, method 3; Post 2018.
BleuScore bleu(const std::vector<std::string>& hypotheses,
               const std::vector<std::vector<std::string>>& references, BleuOptions options = {});

/// What a sentence counts for BLEU; the counts of all sentences add up to those of a corpus.
struct BleuCounts {
  Index hypothesis_length = 0, reference_length = 0;  ///< in words
  std::array<Index, 4> matched{}, all{};              ///< n-grams of one to four words: matches, and all

  BleuCounts& operator+=(const BleuCounts& other);
  /// BP, which is below 1 where the translations are shorter than the references.
  double brevity_penalty() const;
  /// In per cent; 0 from the first length of which the hypotheses have no n-gram, or everywhere without any
  /// match.
  std::array<double, 4> smoothed_precisions() const;
  /// BLEU, 0 to 100.
  double score() const;
  /// BLEU of one sentence, 0 to 100: the mean of the log pₙ is over those n alone of which it has n-grams, or
  /// nothing of three words would be right (sacreBLEU's `effective_order`).
  double sentence_score() const;
};
/// The counts of each sentence, as bleu() adds them up. Throws as bleu does.
std::vector<BleuCounts> bleu_counts(const std::vector<std::string>& hypotheses,
                                    const std::vector<std::vector<std::string>>& references,
                                    BleuOptions options = {});

/// The line that sacreBLEU prints: "BLEU|nrefs:1|… = 41.02 72.1/48.9/… (BP = 1.000 ratio = … hyp_len = …
/// ref_len = …)".
std::string summary(const BleuScore& score);

/// chrF of a text, and how it was counted.
struct ChrfScore {
  double score;           ///< 0 to 100
  std::string signature;  ///< as in "nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:gradual"
};

/// The chrF2 of a corpus, from n-grams of one to six characters, spaces left out:
///
///     chrF2 = 5 · P · R / (4 · P + R),   P, R = precision and recall, each averaged over the n that occur
///
/// Of several references, each sentence counts the one with the best score of its own. Throws as bleu does.
/// Popović 2015, 2016.
ChrfScore chrf(const std::vector<std::string>& hypotheses,
               const std::vector<std::vector<std::string>>& references, bool lowercase = false);

/// The line that sacreBLEU prints: "chrF2|nrefs:1|… = 61.37".
std::string summary(const ChrfScore& score);

}  // namespace gradual
