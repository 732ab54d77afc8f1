// What is said of the experiment: words and tables for a terminal, and the page.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <gradual/nn/drawing/result_table.hpp>

#include "../page_program.hpp"
#include "experiment.hpp"

struct Settings : PageSettings {
  Budget budget;
  gradual::Index width = 32;
};

/// The models, the one of two rounds first, then those of one by their width, and what their figures are
/// worth.
struct Results {
  std::vector<Result> models;
  Guesses guesses;
  Looks even;
};

constexpr const char* question = "What is a second round of attention for?";
constexpr const char *any_value = "guess: any value", *commonest_value = "guess: commonest";

/// The task, the two steps and what a round is, before anything is trained.
std::string introduction(gradual::Index questions, const Settings& settings);
/// What can take one step.
std::string about_rounds();

/// How many answers are right, with two guesses in a part of their own, and what these are. A
/// phone has no room for the time.
gradual::ResultTable table_of_answers(const Results& results, bool with_time);
std::string lines_of_answers(const Results& results);
/// Which round takes which step, and what its columns and its last row are.
gradual::ResultTable table_of_looks(const Results& results);
std::string about_looks();
std::vector<std::pair<std::string, std::string>> columns_of_looks();
std::string lines_of_looks(const Results& results);

/// What more rounds give.
std::string result_of(const Results& results);
/// Where the steps are seen in the figures of the first model; "" where its rounds do not go them yet.
std::string how_it_answers(const Results& results);
/// What one round lacks, told of a name that came again and its value.
std::string why_one_does_not(const Results& results, const std::string& name, const std::string& value);
/// Why one round gives more weight to the answers than even weights do; "" where it does not.
std::string note_on_values(const Results& results);
/// When the first model learns it, and why so suddenly; "" where the figures show no such moment.
std::string when_it_learns(const Results& results);

std::string page(const Results& results, const Settings& settings);
