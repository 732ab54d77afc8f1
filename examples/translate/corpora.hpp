// The text of a run: what is trained on, and what is kept back to watch and to test it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <gradual/nn/inspect/alignment.hpp>
#include <gradual/nn/text/split_text.hpp>
#include <gradual/nn/translation/translator.hpp>

#include "settings.hpp"

/// Sentences that were not trained on.
struct HeldOutSet {
  std::string name;  // one of held_out_names()
  std::vector<gradual::SentencePair> pairs;
};

struct Corpora {
  std::unique_ptr<gradual::SplitText> text;  // the pairs to train on one by one, and the validation sentences
  std::vector<HeldOutSet> held_out;
  std::vector<gradual::AlignedPair> aligned;  // some held-out pairs whose words are known to belong together
};

/// Generates or reads the text and splits it. Throws gradual::FileError and std::invalid_argument.
Corpora load_corpora(const TrainSettings& settings);

/// A translator that knows nothing but both languages, learnt from the sentences that are trained on. Throws
/// what these and gradual::learn_language throw.
gradual::Translator new_translator(const TrainSettings& settings, gradual::PairStream& pairs,
                                   gradual::Random random);

/// "held-out", "compositional" and "test".
const std::vector<std::string>& held_out_names();
/// Writes each held-out set to `folder` as NAME.tsv, where `translate evaluate` finds it; and reads them
/// back.
void save_held_out(const std::string& folder, const std::vector<HeldOutSet>& sets);
std::vector<HeldOutSet> load_held_out(const std::string& folder);
