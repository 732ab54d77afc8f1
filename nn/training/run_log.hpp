// What a run of training writes down step by step, in files that outlive an interruption.
#pragma once

#include <deque>
#include <fstream>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <gradual/core/real.hpp>

namespace gradual {

/// Where training stood after a step. A number that was not measured is NaN.
struct TrainingPoint {
  Index step;                             ///< counted from 1
  double loss;                            ///< mean over the training tokens since the point before
  double tokens_per_second;               ///< read and written
  double learning_rate;                   ///< of this step
  double validation_loss = not_measured;  ///< on sentences that are not trained on
  double gradient_norm = not_measured;    ///< before clipping
  double seconds = not_measured;          ///< since training began
  double validation_bleu = not_measured;  ///< of their translations

  /// Stands for a figure that a step does not have.
  static constexpr double not_measured = std::numeric_limits<double>::quiet_NaN();
};

/// A file of lines, each a JSON object with the number of its "step". Going on after an interruption keeps
/// the lines up to the checkpoint.
class StepLog {
 public:
  /// Calls `read` with each line that is kept. Throws FileError, also with the line that is damaged: no JSON
  /// object with a step, or one that `read` refuses with an exception.
  StepLog(const std::string& path, Index keep_steps, const std::function<void(const std::string&)>& read);
  void add(const std::string& line);

 private:
  std::string path_;
  std::ofstream out_;
};

/// The log of a run: one line a step. However long the run, it takes no more memory.
class TrainingLog {
 public:
  /// Keeps what the file has up to a step. Throws FileError.
  TrainingLog(const std::string& path, Index keep_steps);
  void add(const TrainingPoint& point);
  /// All, from the file. Throws FileError.
  std::vector<TrainingPoint> points() const;
  /// The mean loss of the last fifty steps.
  double recent_loss() const;

 private:
  void take(double loss);

  std::string path_;
  std::deque<double> recent_losses_;
  StepLog file_;
};

/// The log of a run as it stands. Throws FileError where there is none or a line is damaged.
std::vector<TrainingPoint> read_training_log(const std::string& path);

}  // namespace gradual
