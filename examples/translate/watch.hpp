// Watching training by sentences that are not trained on.
#pragma once

#include <vector>

#include <gradual/nn/translation/translator.hpp>

#include "settings.hpp"

class Watch {
 public:
  /// Leaves out pairs that no batch or the model can hold. Throws std::invalid_argument when none is left.
  Watch(const gradual::Translator& translator, const std::vector<gradual::SentencePair>& pairs,
        const TrainSettings& settings);

  struct Look {
    double loss;    // of a word, on average, without label smoothing
    double bleu;    // NaN where the loss decides
    double figure;  // what decides: the lower, the better
  };
  /// How the model does now. Switches dropout off.
  Look look(const gradual::Translator& translator) const;

 private:
  double mean_loss(const gradual::TranslationModel& model) const;

  const TrainSettings& settings_;
  std::vector<gradual::SentencePair> pairs_;
  std::vector<gradual::TranslationBatch> batches_;
};
