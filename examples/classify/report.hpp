// What came out, in a terminal.
#pragma once

#include <vector>

#include "../mean_and_spread.hpp"
#include "trial.hpp"

/// Prints what each part is worth, over all and by label, which words attention listens to in a few
/// documents, generated reviews or others, and what the figures say.
void print_trial(const Trial& trial, bool of_reviews);

/// What each part is worth over several trials: mean and standard deviation.
struct Summary {
  MeanAndSpread attention, ngrams, both;
};
Summary summary_of(const std::vector<Accuracies>& trials);
void print_summary(const Summary& summary);
