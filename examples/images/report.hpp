// What is said of the experiment: words and a table for a terminal, and the page.
#pragma once

#include <string>
#include <vector>

#include "experiment.hpp"

/// The task, before anything is trained.
std::string introduction(const Settings& settings);

/// The model with attention, the one without, and what counting is worth, in per cent.
struct Results {
  Result attention, alone;
  double counting;
};

/// A row for each model, and for JSON nothing else.
gradual::ResultTable table_of_models(const Results& results);
/// The same with what it takes to be better than, in a part of its own.
gradual::ResultTable whole_table(const Results& results);

/// What came out, below the table, a paragraph each; one that the figures do not bear is empty.
std::vector<std::string> conclusions(const Results& results, const Settings& settings);

std::string page(const Results& results, const Settings& settings);
