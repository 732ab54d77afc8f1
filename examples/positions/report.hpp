// What became of the kinds of positions on the terminal, as JSON, and as a page with the curves.
#pragma once

#include <string>
#include <vector>

#include "lengths.hpp"

/// What became of the kinds of positions; its page is in page.cpp.
struct PositionReport {
  explicit PositionReport(const LengthSettings& settings);
  void add(const LengthOutcome& outcome);

  /// Where the greatest of the lengths stands, and the kinds by how often they are right there, the best
  /// first.
  std::size_t longest() const;
  std::vector<const LengthOutcome*> ranked() const;
  /// What stands above the table: the task.
  std::string head() const;
  /// A table for the terminal, the best kind first and a guess below, and what its words mean. Kinds that are
  /// ahead are coloured.
  std::string lines() const;
  /// Whether a kind is clearly better than a guess at the greatest length.
  bool is_ahead(const LengthOutcome& kind) const;
  /// Why a guess is often right in the shortest sequences, where it is.
  std::string about_short_ones() const;
  /// What becomes of each kind in longer sequences, the best first.
  std::string longer_lines() const;
  /// Whether it is the best beyond the length of training, and better than a guess.
  bool alibi_is_ahead() const;
  /// What the table says in short, and why it may be so; empty before there is anything.
  std::string summary() const;
  std::string reason() const;
  /// Why relative is better than the commonest value all the same, where it is, though it adds least to what
  /// is `outscored` or more places back.
  std::string near_finding(gradual::Index outscored) const;
  /// What attention knows that is told no places, where the figures show it.
  std::string blind_finding() const;
  /// How much the kinds notice of the order.
  std::string order_finding() const;
  std::string json() const;
  /// One HTML file without a network.
  std::string page() const;

  const LengthSettings& settings;
  const GuessesWithoutOrder guesses;
  std::vector<LengthOutcome> kinds;
};
