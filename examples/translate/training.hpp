// What a run trains and how: the same for the run itself and for steps of it that are made again.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gradual/nn/training/parallel/team.hpp>
#include <gradual/nn/training/run_log.hpp>
#include <gradual/nn/training/trainer.hpp>
#include <gradual/nn/translation/training_text.hpp>

#include "corpora.hpp"
#include "settings.hpp"

class Training {
 public:
  /// The corpora and the team must live as long.
  Training(const TrainSettings& settings, const Corpora& corpora, const gradual::Team& team);

  gradual::BatchLoss loss_of_batch(gradual::Index n);
  /// The n-th of a run; one after the other is quick.
  gradual::TranslationBatch batch(gradual::Index n) { return text_.batch(n); }
  /// Looks at the validation sentences now and then, where there are any.
  void watch(std::function<void()> improved);
  /// What a checkpoint says of itself.
  std::string note() const;

  const gradual::Translator& translator() const { return translator_; }
  const std::vector<gradual::NamedParameter>& parameters() const { return parameters_; }
  gradual::Trainer& trainer() { return trainer_; }
  gradual::Random& random() { return random_; }

 protected:
  /// How the model does on the validation sentences: the lower, the better.
  double look();

  const TrainSettings settings_;
  const Corpora& corpora_;
  const gradual::Team& team_;
  gradual::Random random_;
  gradual::Translator translator_;
  gradual::TrainingText text_;
  std::optional<gradual::ValidationText> validation_;
  std::vector<gradual::NamedParameter> parameters_;
  std::unique_ptr<gradual::Optimizer> optimizer_;
  gradual::Trainer trainer_;
  double validation_loss_ = gradual::TrainingPoint::not_measured,
         validation_bleu_ = gradual::TrainingPoint::not_measured;
  double tokens_ = 0;
};
