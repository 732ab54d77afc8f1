// Any step of a run again, and what two runs did differently.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <gradual/nn/training/run_difference.hpp>
#include <gradual/nn/translation/run/training.hpp>

namespace gradual {

/// A run that is in a folder, as it was trained.
class EarlierRun {
 public:
  /// `settings` are those of the run, and errors begin with `operation`, what it is looked at for. The team
  /// must live as long. Throws FileError where there is no run, and for a text that is gone.
  EarlierRun(std::string folder, const RunSettings& settings, const Team& team,
             std::string operation = "rebuild");
  /// The training as it was after a step; each call begins anew. Throws std::invalid_argument for a step that
  /// cannot be made again, and for settings or a text that have changed, and std::runtime_error where this
  /// program makes other numbers than the log has.
  std::unique_ptr<TranslatorTraining> after(Index step) const;
  /// The training before its first step; and one that is not as far as a step, brought there.
  std::unique_ptr<TranslatorTraining> beginning() const;
  void bring(TranslatorTraining& training, Index step) const;
  /// The parameters before some steps that are made again, and these steps, tensor by tensor. Throws what
  /// after() throws.
  std::vector<StepTrace> traces(Index first, Index last) const;
  /// Throws std::invalid_argument for a step that cannot be made again.
  void require_step(Index step) const;
  /// Copies what this run wrote down into another folder. Throws FileError.
  void copy_logs(const std::string& folder) const;

  /// The first that can be made again: a fork begins with the step after.
  Index first_step() const { return settings_.fork.empty() ? 1 : settings_.at_step + 1; }
  const RunSettings& settings() const { return settings_; }
  const std::vector<TrainingPoint>& log() const { return log_; }
  std::string file(const std::string& name) const { return folder_ + "/" + name; }
  /// The files that are there of it, and those of its text.
  std::vector<std::string> files() const;

 private:
  std::unique_ptr<TranslatorTraining> beginning(Trainer::Callback after_step) const;
  void require_unchanged(const TranslatorTraining& training, const std::string& note) const;

  std::string folder_, operation_;
  const Team& team_;
  RunSettings settings_;
  std::vector<TrainingPoint> log_;
  Corpora corpora_;
};

/// What two runs did differently: settings, text, log, and the first tensor. Where no trace was kept, the
/// steps around the first difference of the logs are made again in both, or it is said why they cannot be.
RunDifference run_difference(const EarlierRun& first, const EarlierRun& second);

}  // namespace gradual
