// The text of a run: what is trained on, and what is kept back to watch and to test it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <gradual/nn/inspect/alignment.hpp>
#include <gradual/nn/text/split_text.hpp>
#include <gradual/nn/translation/evaluation.hpp>

#include "settings.hpp"

struct Corpora {
  std::unique_ptr<gradual::SplitText> text;  // the pairs to train on one by one, and the validation sentences
  std::vector<gradual::HeldOutSet> held_out;  // each has one of held_out_names()
  std::vector<gradual::AlignedPair> aligned;  // some held-out pairs whose words are known to belong together
};

/// Generates or reads the text and splits it. Throws gradual::FileError and std::invalid_argument.
Corpora load_corpora(const TrainSettings& settings);

/// "held-out", "compositional" and "test".
const std::vector<std::string>& held_out_names();
/// Writes each held-out set to `folder` as NAME.tsv, where `translate evaluate` finds it; and reads them
/// back.
void save_held_out(const std::string& folder, const std::vector<gradual::HeldOutSet>& sets);
std::vector<gradual::HeldOutSet> load_held_out(const std::string& folder);
/// The held-out sets beside a model, or the one of a file that is named.
std::vector<gradual::HeldOutSet> test_sets(const std::string& model, const std::string& tsv);
/// Those of the held-out pairs beside a model that are the embedded corpus's, with the words that translate
/// each other; none for a model of other units than words.
std::vector<gradual::AlignedPair> known_alignments(const gradual::Translator& translator,
                                                   const std::vector<gradual::SentencePair>& pairs);
