// Lines of a text and what a translator makes of them, for programs that read and write text.
#pragma once

#include <string>
#include <vector>

#include <gradual/nn/translation/minimum_risk.hpp>
#include <gradual/nn/translation/translator.hpp>

namespace gradual {

/// A line as it was given, and what is wrong with it where the model cannot translate it.
struct TranslatedLine {
  std::string sentence, problem;     ///< what was read, and what is wrong with it, if anything
  std::vector<std::string> unknown;  ///< tokens of what is translated that the model does not know
  std::vector<Hypothesis> found;     ///< none where there is a problem or nothing to translate
};

/// How lines are translated, and written down.
struct LineOptions {
  BeamOptions search;     ///< how translations are searched for
  bool sampling = false;  ///< words are drawn by chance
  SamplingOptions chance;
  MinimumRiskOptions minimum_risk;  ///< where the translation most like the others is wanted
  bool json = false;                ///< a line of JSON for each sentence instead of text

  /// Whether words are drawn by chance, to choose among or as they are.
  bool draws() const { return sampling || minimum_risk.samples > 0; }
  /// Throws std::invalid_argument for more translations than the beam holds, for two ways at once, and what
  /// `chance` throws.
  void check() const;
};

/// Translates lines together, which is faster.
std::vector<TranslatedLine> translate_lines(const Translator& translator,
                                            const std::vector<std::string>& lines, const LineOptions& options,
                                            Random& random);
/// A line's translations as text: one a line, with scores where there may be several, and an empty line where
/// there is none; or all that is known in a line of JSON. There, a translation that is not "finished" was
/// cut, and its log-probability is without an end; a score of -∞, where nothing leads back, is null.
std::string written(const Translator& translator, const TranslatedLine& line, const LineOptions& options);

/// A pair, the number of its line, its score, and what is wrong where the model cannot score it.
struct ScoredLine {
  Index number;         ///< of the line
  SentencePair pair;    ///< a sentence and its translation
  std::string problem;  ///< what is wrong with it, if anything
  ScoredTranslation score;
};

/// Scores pairs, and names for each word so many others that a search may write, as padding is none. Throws
/// what Translator::score() throws.
std::vector<ScoredTranslation> score_with_rivals(const Translator& translator,
                                                 const std::vector<SentencePair>& pairs, Index rivals);
/// Scores the pairs of lines `source TAB target` together; the first line has the number `first` in the file
/// `path`, and those of nothing but spaces are left out. Throws FileError as pair_of_line() does, and
/// std::runtime_error where the model gives what is no number.
std::vector<ScoredLine> score_lines(const Translator& translator, const std::vector<std::string>& lines,
                                    const std::string& path, Index first, Index rivals);
/// A pair with its score as text: a line, and one for each word where rivals were asked for, and an empty
/// line where there is no score; or a line of JSON.
std::string written(const Translator& translator, const ScoredLine& line, bool with_rivals, bool json);

/// What a vocabulary has, for people.
struct KnownWords {
  std::vector<std::string> words;  ///< the most frequent first
  std::string unit;                ///< "words"; "letters" or "pieces of words" where these are the units
  Index tokens;                    ///< that they are to the model: more, where capitals make two of one word
};

/// Words are without marks such as full stops; one that is known in small letters and with capitals, too,
/// such as "the" and "The", is there once.
KnownWords known_words(const Language& language);
/// How many words, and the `most` most frequent in alphabetical order: `3 words: cat, sleeps, the`,
/// or `151 words, among them: cat, the …`.
std::string known_words(const Language& language, std::size_t most);

/// A sentence that has tokens the model does not know in small letters, or but for its first letter, where
/// all of it is known so: "The cat sleeps." of "THE CAT SLEEPS."; else "".
std::string known_in_small_letters(const Language& language, const std::string& sentence);

/// Names the model and all that decides what becomes of a line, for rewrite_lines(). Parameters and
/// vocabularies are summed up by FNV-1a.
std::string way_of(const Translator& translator, const LineOptions& options);
std::string way_of_scoring(const Translator& translator, Index rivals, bool json);

}  // namespace gradual
