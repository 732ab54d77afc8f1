// Choosing a model and a schedule by the time that there is.
#pragma once

#include <string>
#include <vector>

#include "corpora.hpp"

/// The seconds of "10s", "5m", "1h"; throws std::invalid_argument for other text, and for more than
/// 1000 hours.
double seconds_of(const std::string& duration);

/// The options that a plan chooses, and that cannot be given beside --budget.
const std::vector<std::string>& planned_options();

/// What training in about so many seconds should look like.
struct Plan {
  std::string settings;     // lines `option = value`
  std::string expectation;  // for people: what will be trained, for how long
};

/// Times a few steps of models of growing size on this machine, with batches like those of the text, and
/// takes the largest one that still sees enough of the text in the time.
Plan plan_for(double seconds, const TrainSettings& settings, const Corpora& corpora);
