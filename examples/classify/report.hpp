// What is printed and drawn.
#pragma once

#include <string>
#include <vector>

#include "trial.hpp"

/// Prints what each part is worth, how each label fared, and which words decided about a few documents.
void print_trial(const Trial& trial);

/// The same with more documents, as a page.
std::string trial_page(const Trial& trial, const std::string& subtitle);

/// The mean of several trials, and the standard deviation between them.
struct MeanAndSpread {
  Accuracies mean, spread;
};
MeanAndSpread summary_of(const std::vector<Accuracies>& trials);
void print_summary(const MeanAndSpread& summary);
