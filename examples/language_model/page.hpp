// The page of a run.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <gradual/nn/language/character_model.hpp>
#include <gradual/nn/training/learning_curve.hpp>

#include "settings.hpp"

struct TrainingResult {
  gradual::LearningCurve curve;  // its figure is the loss of a tenth of the validation part
  double validation_loss = 0;    // of the whole validation part
  gradual::Series training{"training", {}, {}}, validation{"validation", {}, {}};
  std::vector<std::pair<gradual::Index, std::string>> samples;  // what it wrote after so many steps
};

/// Figures, curves, a sample, and what every head looked at in the sample's first characters, as one HTML
/// file.
std::string page_of(const gradual::CharacterModel& model, const TrainSettings& settings,
                    const TrainingResult& result, const std::string& sample);
