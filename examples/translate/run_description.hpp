// A finished run as its page shows it.
#pragma once

#include <vector>

#include <gradual/nn/inspect/page/run_page.hpp>
#include <gradual/nn/translation/translator.hpp>

#include "evaluation.hpp"
#include "settings.hpp"

struct RunResult {
  std::vector<Evaluation> evaluations;
  std::vector<gradual::TrainingPoint> training;
  double seconds, tokens_per_second;
  gradual::Index steps;
};

gradual::Run describe(const gradual::Translator& translator, const TrainSettings& settings,
                      const RunResult& result);
