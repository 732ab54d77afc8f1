// What is said of the experiment in a terminal, and as JSON.
#pragma once

#include <string>
#include <vector>

#include "experiment.hpp"

/// The question, and the task, before anything is trained.
std::string introduction(const std::vector<gradual::Molecule>& tested, const Settings& settings);

/// What came out: a table, what it says, and what the page shows more.
std::string outcome(const Results& results);

/// An object for each model.
std::string json(const Results& results);
