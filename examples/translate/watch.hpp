// Watching training by sentences that are not trained on.
#pragma once

#include <vector>

#include <gradual/nn/translation/translator.hpp>

#include "settings.hpp"

class Watch {
 public:
  /// Leaves out pairs that no batch or the model can hold, and counts them. Throws std::invalid_argument when
  /// none is left.
  Watch(const gradual::Translator& translator, const std::vector<gradual::SentencePair>& pairs,
        const TrainSettings& settings);
  /// How many pairs were left out.
  gradual::Index too_long() const { return too_long_; }

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
  gradual::Index too_long_ = 0;
  std::vector<gradual::SentencePair> pairs_;
  std::vector<gradual::TranslationBatch> batches_;
};
