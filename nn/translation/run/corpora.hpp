// The text of a run: what is trained on, and what is kept back to watch and to test it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <gradual/nn/text/split_text.hpp>
#include <gradual/nn/text/tokenizer.hpp>
#include <gradual/nn/translation/evaluation.hpp>

namespace gradual {

/// Where a text comes from, and how much of it is not trained on.
struct CorpusOptions {
  // The embedded corpus unless a file is named: one of lines `source TAB target`, or two that are aligned.
  std::string tsv, source_file, target_file;
  std::string test_source_file, test_target_file;  ///< to test on; without them, sentences are held out
  Index max_words = 0;                             ///< pairs with more on either side are left out; 0: none
  Index held_out = 0;      ///< distinct source sentences to test on; 0: 1000, or a tenth of fewer than 10000
  Index validation = 0;    ///< distinct source sentences that training is watched by
  std::uint64_t seed = 1;  ///< of what is held out
  bool both_ways = false;  ///< each pair is trained on the other way round, too
  LanguageOptions language;  ///< what a model makes of its sentences

  /// The files that are named.
  std::vector<std::string> files() const;
};

/// The text of a run, apart by what it is for.
struct Corpora {
  std::unique_ptr<SplitText> text;   ///< the pairs to train on one by one, and the validation sentences
  std::vector<HeldOutSet> held_out;  ///< each has one of held_out_names()
  std::vector<AlignedPair> aligned;  ///< some held-out pairs whose words are known to belong together
};

/// Generates or reads the text and splits it. Throws FileError and std::invalid_argument.
Corpora load_corpora(const CorpusOptions& options);

/// "held-out", "compositional" and "test".
const std::vector<std::string>& held_out_names();
/// Writes each held-out set to a folder as NAME.tsv; and reads back those that are there, which may be none.
/// Throws FileError.
void save_held_out(const std::string& folder, const std::vector<HeldOutSet>& sets);
std::vector<HeldOutSet> load_held_out(const std::string& folder);

/// The same sets, each pair the other way round: what a model that translates back was not trained on.
std::vector<HeldOutSet> turned_round(std::vector<HeldOutSet> sets);
/// Whether there is one that says as much of what was trained on as this one: a set "test" is a file of its
/// own, which was not kept back of any text.
bool has_kind_of(const HeldOutSet& set, const std::vector<HeldOutSet>& others);
/// Of each set the pairs whose source is in a set of its kind of each of the others that have such, too: what
/// several runs all kept back, or were all given to be tested on.
std::vector<HeldOutSet> kept_back_by_all(std::vector<HeldOutSet> sets,
                                         const std::vector<std::vector<HeldOutSet>>& others);

/// How many of some sentences are sources that are trained on, as a model reads them. Goes through the text.
Index trained_on(PairStream& text, const std::vector<std::string>& sentences, bool lower_case);

/// Sentences to try: at most so many distinct short sources, from all sets by turns; none with characters
/// that steer a terminal.
std::vector<std::string> sentences_to_try(const std::vector<HeldOutSet>& sets, std::size_t most);
/// The first pair that says something and stands in a line of a terminal; null where there is none.
const SentencePair* pair_for_a_line(const std::vector<HeldOutSet>& sets);

}  // namespace gradual
