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
