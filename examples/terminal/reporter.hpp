// What a program that trains says while it goes on.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include <gradual/nn/training/run_log.hpp>

#include "progress.hpp"

/// The curves of a log for a terminal: the loss, and each other number as a line of blocks.
std::string plot_of(const std::vector<gradual::TrainingPoint>& points);

/// Says how training goes: one live line on a terminal, a line now and then in a file, nothing when quiet.
class Reporter {
 public:
  Reporter(gradual::Index total_steps, bool quiet);
  void say(const std::string& line) const;
  void show(const Progress& progress);
  void end_line() const;

 private:
  gradual::Index columns() const;

  gradual::Index total_;
  bool quiet_, live_;
  std::chrono::steady_clock::time_point shown_{};
};
