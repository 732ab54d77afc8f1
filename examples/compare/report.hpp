// The two tables on the terminal, as JSON, and as a page with the maps beside them.
#pragma once

#include <string>
#include <vector>

#include <gradual/nn/drawing/result_table.hpp>

#include "contest.hpp"
#include "lengths.hpp"

/// What became of the ways to attend and of the kinds of positions, with a table for each.
struct Report {
  Report(const Task& task, const ContestSettings& contest, const LengthSettings& lengths);
  void add(const Outcome& outcome);
  void add(const LengthOutcome& outcome);

  /// What stands above each table: its task, and what its rows are.
  std::string contest_head() const;
  std::string length_head() const;
  /// What those of its columns are that titles do not explain.
  std::string contest_columns() const;
  std::string length_columns() const;
  /// What each table says in one line; empty where it says nothing yet.
  std::string contest_summary() const;
  std::string length_summary() const;
  /// The second table, with a guess below.
  std::string position_lines() const;
  /// What the figures of each table say, a paragraph each; empty before there are any.
  std::vector<std::string> contest_findings() const;
  std::vector<std::string> length_findings() const;
  /// The parts of the first: which way gets the most right, why those without scores fall behind, where they
  /// do, and what the division by the root of the width is for.
  std::string ranking_finding() const;
  std::string scoreless_finding() const;
  std::string division_finding() const;
  /// Which way looks most often at the words that are translated, and which kinds of positions see no order.
  std::string alignment_finding() const;
  std::string order_finding() const;
  std::string json() const;
  /// One HTML file without a network: both tables, the maps of some sentences beside their known alignment,
  /// and the curves by length.
  std::string page() const;

  const Task& task;
  const ContestSettings& contest;
  const LengthSettings& lengths;
  const std::vector<double> guesses;  // what one without order is worth, in per cent, at each length
  std::vector<Outcome> ways;
  std::vector<LengthOutcome> positions;
  gradual::ResultTable way_table, position_table;
};
