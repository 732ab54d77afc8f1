// What came out, in a terminal.
#pragma once

#include <string>
#include <vector>

#include "../mean_and_spread.hpp"
#include "findings.hpp"

/// The task, with generated reviews or other documents, how it is done, and what names stand for.
std::string task_text(bool of_reviews, const NamesAndMeanings& names);

/// Prints what each part is worth, over all and by label, what the figures say, and which words attention
/// gives most weight to in a few documents.
void print_trial(const Trial& trial, bool of_reviews, const TrainingOptions& options);

/// What each part is worth over several trials: mean and standard deviation.
struct Summary {
  MeanAndSpread attention, ngrams, both;
};
Summary summary_of(const std::vector<Accuracies>& trials);
void print_summary(const Summary& summary);
