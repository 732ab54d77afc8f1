// What is said of the experiment: words and tables for a terminal, and the page.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiment.hpp"

constexpr const char* question = "When does it help that pieces of a picture look at each other?";
/// How often an answer is a commonest shape of its picture, in a table and in a chart.
constexpr const char* names_a_commonest = "names a commonest";

/// The task, before anything is trained.
std::string introduction(const Settings& settings);
/// The models, and what they can do.
std::vector<std::pair<std::string, std::string>> models(const Settings& settings);

/// The model with attention, the one without, and what counting is worth, in per cent.
struct Results {
  Result attention, alone;
  double counting;
};

/// A row for each model, and for JSON nothing else.
gradual::ResultTable table_of_models(const Results& results);
/// The same with what it takes to be better than, in a part of its own; and what its columns are.
gradual::ResultTable whole_table(const Results& results);
std::string columns_of_table(const Settings& settings);

/// What came out, in a sentence or two.
std::string summary_of(const Results& results, gradual::Index tested);
/// What the arrow's cell of one picture looks at after training: shapes, and beside them the weights.
std::string lines_of_look(const Result& attention);
/// How the arrow's cell comes to know; "" where it does not look at what it points at yet.
std::string how_it_looks(const Result& attention);

/// When it learns where to look: the last of its looks where it is no better than counting, and the next
/// where it is nearer to its end than to counting; nothing where it does not learn it, or counts at no look.
struct Moment {
  std::size_t counts, finds;
};
std::optional<Moment> moment_of(const Results& results);
/// The same in words, and as a table of these looks and the last; "" and nothing where there is none.
std::string plateau_of(const Results& results);
std::optional<gradual::ResultTable> table_of_stages(const Results& results);
/// Of which pictures the figures of this table are, and why more is right than has its weight in one head.
std::string about_stages(const Results& results, gradual::Index tested);

std::string page(const Results& results, const Settings& settings);
