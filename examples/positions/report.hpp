// What became of the kinds of positions on the terminal, as JSON, and as a page with the curves.
#pragma once

#include <string>
#include <vector>

#include "lengths.hpp"

/// What became of the kinds of positions.
struct PositionReport {
  explicit PositionReport(const LengthSettings& settings);
  void add(const LengthOutcome& outcome);

  /// What stands above the table: the task.
  std::string head() const;
  /// A table for the terminal, the best kind first and a guess below, and what its words mean.
  std::string lines() const;
  /// What the table says in short, and why it may be so; empty before there is anything.
  std::string summary() const;
  std::string reason() const;
  /// How much the kinds notice of the order.
  std::string order_finding() const;
  std::string json() const;
  /// One HTML file without a network.
  std::string page() const;

  const LengthSettings& settings;
  const std::vector<double> guesses;  // what one without order is worth, in per cent, at each length
  std::vector<LengthOutcome> kinds;
};
