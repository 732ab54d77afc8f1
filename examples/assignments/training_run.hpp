// A training of the real translator in the sandbox, and what came of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <gradual/core/real.hpp>

#include "workshop.hpp"

struct TrainingRun {
  std::vector<double> losses;  // of each step
  std::optional<double> loss;  // of the last one; nothing where it failed
  gradual::Index parameters = 0;
  double bleu = 0;      // of the sentences that were held out
  std::string problem;  // how it failed
  std::string layers;   // of the sandbox, that were active
};

/// Makes a target of the build, by its own commands; `translate`, which all share, once for each process and
/// those that it starts. Throws std::runtime_error, with its log.
void make_target(const Workshop& workshop, const std::string& target);

/// Trains by a program `translate`, on one thread, with these options besides.
TrainingRun run_training(const std::string& program, const std::vector<std::string>& options, int seconds);
