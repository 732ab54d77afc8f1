// The page of a run.
#pragma once

#include <string>
#include <vector>

#include <gradual/nn/language/character_model.hpp>

#include "settings.hpp"

/// Where training stood after a step.
struct Standing {
  gradual::Index step;
  double loss;        // mean since the last one
  double validation;  // of a tenth of the validation part
  double seconds;     // of training alone
};

struct TrainingResult {
  std::vector<Standing> standings;
  double seconds = 0;
  double gflop_a_step = 0;     // in matrix products
  double validation_loss = 0;  // of the whole validation part
};

/// Figures, curves, a sample, and what every head looked at in the sample's first characters, as one HTML
/// file.
std::string page_of(const gradual::CharacterModel& model, const TrainSettings& settings,
                    const TrainingResult& result, const std::string& sample);
