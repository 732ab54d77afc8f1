// The table of ways to attend on the terminal, as JSON, and as a page with the maps beside it.
#pragma once

#include <string>
#include <vector>

#include <gradual/nn/drawing/result_table.hpp>

#include "../terminal/legend.hpp"
#include "contest.hpp"

/// A sentence, how many of the ways get it right, "5 of 8", and what the others make of it.
struct Example {
  std::string source, count, right;
  NamesAndMeanings wrong;
};

/// The weights of scores, eˢ/Σeˢ, and those of 0, 1 and 2 in words.
std::vector<double> weights_of(const std::vector<gradual::Real>& scores);
std::string softmax_of_0_1_2();

/// What became of the ways to attend. What the figures say is in findings.cpp, the page in page.cpp.
struct Report {
  Report(const Task& task, const ContestSettings& settings);
  void add(const Outcome& outcome);

  /// What stands above the table: the question, the task with an example, what it is to attend, and what each
  /// way does.
  std::string head() const;
  /// A table for the terminal, the best way first, without figures that take an explanation, and with bars
  /// where there is room.
  std::string lines() const;
  /// What the table says in short; empty before there is anything.
  std::string summary() const;
  /// Whether looking back helps a recurrent network, and the division dot, where the figures show it.
  std::string looking_finding() const;
  std::string dividing_finding() const;
  /// Why those without scores fall behind, what several heads are for, where the figures show it, that a
  /// window loses nothing, where it does not, and what the division by the root of the width is for.
  std::string scoreless_finding() const;
  std::string heads_finding() const;
  std::string window_finding() const;
  std::string division_finding() const;
  /// Whether dot is often sure before it knows anything, and gets less right than scaled dot.
  bool dot_is_sure_and_behind() const;
  /// Dot and scaled dot; empty where there is nothing to tell of them.
  std::vector<const Outcome*> dots() const;
  /// The place of the sentence that agrees best with the table: that ways get right which are above the mean
  /// of all, and the others wrong. The first of several.
  std::size_t telling_sentence() const;
  /// What becomes of that sentence.
  Example example() const;
  /// The same on the terminal.
  std::string example_lines() const;
  /// The first sentence that the best way gets wrong; none where there is no best one, or no such sentence.
  const gradual::Judged* first_mistake_of_best() const;
  std::string mistake_lines() const;
  /// The task, what it is to attend, and what each way does, in words of those before it.
  std::string task_in_words() const;
  std::string attending() const;
  NamesAndMeanings ways_in_words() const;
  /// Which way looks most often at the words that are translated.
  std::string alignment_finding() const;
  std::string json() const;
  /// One HTML file without a network: bars, the maps of some sentences beside their known alignment, tables.
  std::string page() const;

  const Task& task;
  const ContestSettings& settings;
  std::vector<Outcome> ways;
  gradual::ResultTable table;
  gradual::ResultTable look_table;  // what else is known of where the ways look, for page and JSON
};
