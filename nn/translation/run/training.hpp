// What a run trains and how: the same for the run itself and for steps of it that are made again.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gradual/nn/training/parallel/team.hpp>
#include <gradual/nn/training/run_log.hpp>
#include <gradual/nn/training/trainer.hpp>
#include <gradual/nn/translation/budget.hpp>
#include <gradual/nn/translation/run/settings.hpp>
#include <gradual/nn/translation/training_text.hpp>

namespace gradual {

/// The optimizer that the settings name, which knows nothing yet: Adam (β₁ = 0.9, β₂ = 0.98, ε = 10⁻⁹;
/// Vaswani et al. 2017, §5.3), or Muon for hidden matrices. Throws std::invalid_argument for another name.
std::unique_ptr<Optimizer> training_optimizer(const std::vector<NamedParameter>& parameters,
                                              const RunSettings& settings);

/// What a plan of a transformer for so many seconds of such a training starts from. Throws what
/// transformer_config_from_json() throws.
PlanOptions plan_options(const RunSettings& settings, double seconds);

/// A translator that is learnt from a text.
class TranslatorTraining {
 public:
  /// The corpora and the team must live as long. Throws what the text, the model and the trainer throw.
  TranslatorTraining(const RunSettings& settings, const Corpora& corpora, const Team& team);

  /// Of this process's share of the batch.
  BatchLoss loss_of_batch(Index n);
  /// The n-th of a run; one after the other is quick.
  TranslationBatch batch(Index n) { return text_.batch(n); }
  /// How many go through the text once; where cuts are sampled, for the first time.
  Index batches_in_epoch() { return text_.batches_in_first_epoch(); }
  /// Looks at the validation sentences now and then, where there are any; `improved` is called at a new best.
  void watch(std::function<void()> improved);
  /// Throws std::invalid_argument, with what may have changed it, where this training cannot go on with the
  /// state of another: its words, parameters and optimizer must be the same, and what it keeps back from
  /// training must not be what the other learnt from.
  void require_state_of(const TranslatorTraining& other) const;
  /// What a checkpoint says of itself.
  std::string note() const;

  const Translator& translator() const { return translator_; }
  const std::vector<NamedParameter>& parameters() const { return parameters_; }
  const TrainingText& sentences() const { return text_; }
  /// Nothing where no sentences are kept for it.
  const std::optional<ValidationText>& validation() const { return validation_; }
  Trainer& trainer() { return trainer_; }
  const Trainer& trainer() const { return trainer_; }
  Random& random() { return random_; }

 protected:
  BatchLoss loss_of(std::vector<Index> rows);
  /// How the model does on the validation sentences: the lower, the better.
  double look();

  const RunSettings settings_;
  const Corpora& corpora_;
  const Team& team_;
  Random random_;
  Translator translator_;
  TrainingText text_;
  std::optional<ValidationText> validation_;
  std::vector<NamedParameter> parameters_;
  std::unique_ptr<Optimizer> optimizer_;
  Trainer trainer_;
  double validation_loss_ = TrainingPoint::not_measured, validation_bleu_ = TrainingPoint::not_measured;
  double tokens_ = 0;  // of all batches so far
};

}  // namespace gradual
