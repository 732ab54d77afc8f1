// Both models on the same pictures with the same budget.
#pragma once

#include <string>
#include <vector>

#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/generated/pictures.hpp>

#include "models.hpp"

struct Budget {
  gradual::Index steps = 1600, batch = 32, test_pictures = 400;
  double learning_rate = 0.003;
  std::uint64_t seed = 1;
  gradual::PictureSizes pictures;
  ModelSizes model;
};

/// What became of a model.
struct Result {
  std::string name;
  gradual::Index parameters = 0;
  double seconds = 0, accuracy = 0;       // accuracy in per cent of the dots
  std::vector<double> steps, accuracies;  // the curve
  std::vector<std::int32_t> answers;      // of the test pictures, [B·digits]
};

/// Trains a model on ever new pictures and tests it on others.
Result run_experiment(const std::string& name, Answerer& model, const Budget& budget);

/// The pictures that all models are tested on.
gradual::PictureBatch test_pictures(const Budget& budget);

/// One head of the model with attention, and the mean weight that the dots' patches give to the patches of
/// their digits there.
struct BestHead {
  std::size_t layer = 0;
  gradual::Index head = 0;
  double weight = 0;
  double by_chance = 0;  // what equal weights would give
};
BestHead best_head(const std::vector<gradual::RecordedAttention>& layers,
                   const gradual::PictureBatch& pictures, gradual::Index patch);
