// What came out, as a page.
#pragma once

#include <string>

#include "trial.hpp"

/// What print_trial() prints, with more documents, generated reviews or others; the subtitle says how was
/// trained.
std::string trial_page(const Trial& trial, bool of_reviews, const TrainingOptions& options);
