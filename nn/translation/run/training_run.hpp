// A run of training, with all that it leaves in its folder.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gradual/nn/diagnosis/step_trace.hpp>
#include <gradual/nn/training/history.hpp>
#include <gradual/nn/training/run_folder.hpp>
#include <gradual/nn/translation/run/earlier_run.hpp>

namespace gradual {

/// Trains a translator in a folder: log, checkpoints, snapshots and the best model on the way; goes on where
/// an earlier run was ended, or from a step of another.
class TrainingRun : public TranslatorTraining {
 public:
  /// Makes the folder, and brings the training to where it begins. `origin` is the run that settings.fork
  /// names; null where there is none, and for a fork that goes on. `command` is what people type to train
  /// with the settings of the folder, and `warn` hears of what went otherwise than asked and does not end the
  /// run. What is referred to must live as long. Bad settings leave no folder behind, and neither does a run
  /// that is to go on and has no checkpoint, or an origin whose step cannot be made again. Throws
  /// std::invalid_argument, and FileError.
  TrainingRun(const RunSettings& settings, const Corpora& corpora, const Team& team, const EarlierRun* origin,
              std::string command, std::function<void(const std::string&)> warn);

  /// Makes the steps that are left; all processes ask `interrupted` before each. `after_step` is called when
  /// the log has the step. False where it was interrupted. Throws DivergedError, and FileError.
  bool make_steps(std::function<bool()> interrupted, std::function<void(const TrainingStep&)> after_step);
  /// Writes the model and the checkpoint, unless there was nothing to do: the model of a finished run is not
  /// what its last step made.
  void save_what_was_made() const;
  /// Takes and writes the mean of the snapshots where there are some, else the best look where training was
  /// watched, else the moving average where there is one, else the last step. Throws DivergedError where its
  /// loss is not finite.
  void choose_final_model();

  /// Where it writes.
  const RunFolder& folder() const { return folder_; }
  /// What it logged.
  const TrainingLog& log() const { return *log_; }
  /// Pairs with more words, or more tokens, than a run takes.
  Index left_out() const { return corpora_.text->too_long() + text_.too_long(); }
  /// The lowest validation loss or the highest BLEU, whichever was watched; NaN where nothing was.
  double best_validation() const;

  // Since this process began:
  Index steps_made() const { return trainer_.steps_done() - steps_before_; }
  /// The time that this run took.
  double seconds() const { return trainer_.seconds() - seconds_before_; }
  /// The log's where no step was made.
  double tokens_per_second() const;

 private:
  std::vector<Index> steps_of_origin() const;
  /// The run that a fork comes from, where it was forked, and the parameters of the snapshots that count.
  struct Origin {
    std::unique_ptr<TranslatorTraining> training;
    std::vector<std::pair<Index, NamedTensors>> snapshots;
  };
  std::optional<Origin> made_again(const EarlierRun* origin) const;
  void begin_anew(const EarlierRun* origin);
  void begin_fork(const EarlierRun& run, const Origin& origin);
  void begin_trace();
  void trace(Index step);
  void plan_what_is_done_on_the_way(const std::function<void(const TrainingStep&)>& after_step);
  void add_to_history(Index step);
  void warn_of_early_snapshots() const;
  void require_finite_loss();
  void write_down(const TrainingStep& now);
  void save_state() const;

  std::function<void(const std::string&)> warn_;
  Snapshots snapshots_;
  std::optional<Origin> origin_;  // of a fork, until it begins
  RunFolder folder_;              // after what bad settings are seen by
  TrainingHistory history_;
  bool history_ended_ = false;
  std::optional<TrainingLog> log_;
  std::optional<StepLog> traces_;
  std::optional<StepTracer> tracer_;
  double seconds_before_ = 0;
  Index steps_before_ = 0;
};

}  // namespace gradual
