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
  /// What those of the first one's columns are that titles do not explain.
  std::string contest_columns() const;
  /// What each table says in short; empty before there is one.
  std::string contest_summary() const;
  std::string length_summary() const;
  /// The second table, with a guess below.
  std::string position_lines() const;
  /// Why the figures of each table are what they are, a paragraph each; empty before there are any.
  std::vector<std::string> contest_findings() const;
  std::string length_reason() const;
  /// The parts of the first: why those without scores fall behind, where they do, and what the division by
  /// the root of the width is for.
  std::string scoreless_finding() const;
  std::string division_finding() const;
  /// Which way looks most often at the words that are translated, and how much the kinds
  /// of positions notice of the order.
  std::string alignment_finding() const;
  std::string order_finding() const;
  std::string json() const;
  /// One HTML file without a network: the maps of some sentences beside their known alignment, both tables,
  /// and the curves by length.
  std::string page() const;

  const Task& task;
  const ContestSettings& contest;
  const LengthSettings& lengths;
  const std::vector<double> guesses;  // what one without order is worth, in per cent, at each length
  std::vector<Outcome> ways;
  std::vector<LengthOutcome> positions;
  gradual::ResultTable way_table;
  gradual::ResultTable look_table;  // what else is known of where the ways look, for page and JSON
  gradual::ResultTable position_table;
};
