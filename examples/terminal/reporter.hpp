// What a program that trains says while it goes on.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include <gradual/nn/training/run_log.hpp>
#include <gradual/nn/training/trainer.hpp>

#include "progress.hpp"

/// The curves of a log for a terminal: the loss, and each other number as a line of blocks. No line is wider
/// than `columns`, where there are 40, nor than 80.
std::string plot_of(const std::vector<gradual::TrainingPoint>& points, gradual::Index columns);

/// Says how training goes: one live line on a terminal, a line now and then in a file, nothing when quiet. It
/// goes on where the reader of a pipe has ended.
class Reporter {
 public:
  Reporter(gradual::Index total_steps, bool quiet);
  void say(const std::string& line) const;
  /// The same, broken between words where there is a terminal, with its marks in colour.
  void say_wrapped(const std::string& line) const;
  void show(const Progress& progress);
  /// A second line under the bar, where one is seen: `note` makes it, about once a second, with no more
  /// columns than there are.
  void show_below(const std::function<std::string(gradual::Index columns)>& note);
  void end_line() const;
  /// Takes the live line away.
  void clear() const;
  /// How many letters a line has.
  gradual::Index columns() const;

 private:
  gradual::Index total_;
  bool quiet_, live_;
  std::string below_;
  std::chrono::steady_clock::time_point shown_{}, noted_{};
};

/// Shows how far a trainer is that makes `steps` steps, under the name of what it trains. When it is done the
/// bar is gone from a terminal.
void show_progress(gradual::Trainer& trainer, gradual::Index steps, const std::string& what, bool quiet);

/// A sentence and its translation of this moment in one line, or the translation alone where there is no
/// room. Its words are marked by whether the right translation has them in this place, elsewhere, or not.
std::string sentence_line(const std::string& sentence, const std::string& translation,
                          const std::string& right, gradual::Index columns);
