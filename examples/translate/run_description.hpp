// A finished run as its page shows it.
#pragma once

#include <string>
#include <vector>

#include <gradual/nn/inspect/run_page.hpp>
#include <gradual/nn/translation/evaluation.hpp>

#include "settings.hpp"

struct RunResult {
  std::vector<gradual::Evaluation> evaluations;
  std::vector<gradual::TrainingPoint> training;
  std::vector<gradual::Milestone> milestones;
  double loss = 0;  // the mean of the last steps
  double best_validation = gradual::TrainingPoint::not_measured;
  double seconds = 0, tokens_per_second = 0;
  gradual::Index steps = 0, pairs = 0, left_out = 0, validation_left_out = 0;
};

/// A search that leaves a tree to look at, which a greedy one does not: with three to five hypotheses.
gradual::BeamOptions search_to_look_at(gradual::BeamOptions search);

gradual::Run describe(const gradual::Translator& translator, const TrainSettings& settings,
                      const RunResult& result);
/// Its figures as one line of JSON.
std::string figures_line(const gradual::Translator& translator, const RunResult& result);
