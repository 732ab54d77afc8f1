// What is said of the experiment: words and tables for a terminal, and the page.
#pragma once

#include <string>
#include <vector>

#include <gradual/nn/drawing/result_table.hpp>

#include "experiment.hpp"

/// The question, and the task, before anything is trained.
std::string introduction(const std::vector<gradual::Molecule>& tested, const Settings& settings);

/// A row for each model, and for JSON nothing else.
gradual::ResultTable table_of_models(const Results& results);
/// The same with what is to be reached, in a part of its own.
gradual::ResultTable whole_table(const Results& results);

/// What the models make of the groups that Joback's method adds up, for a terminal.
std::string groups(const Results& results);

/// What came out, below the table, a paragraph each; one that the figures do not bear is empty.
std::vector<std::string> conclusions(const Results& results);

std::string page(const Results& results, const std::vector<gradual::Molecule>& molecules,
                 const gradual::MoleculeBatch& test, const Settings& settings);
