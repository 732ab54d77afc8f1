// One step of training: loss, gradients, clipping, update.
#pragma once

#include <functional>
#include <stdexcept>
#include <vector>

#include <gradual/nn/training/optimizer.hpp>
#include <gradual/nn/training/parallel/data_parallel.hpp>
#include <gradual/nn/training/schedule.hpp>

namespace gradual {

/// The loss or its gradient is not a number. The parameters are as they were before the step.
class DivergedError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What a step did.
struct TrainingStep {
  Index step = 0;
  double loss = 0;
  double learning_rate = 0;
  double gradient_norm = 0;  // before clipping
};

/// Follows the gradient of a loss, step by step.
class Trainer {
 public:
  /// Gradients longer than `clip_norm` are shortened to it; 0 leaves them alone.
  Trainer(std::vector<NamedParameter> parameters, Optimizer& optimizer, Schedule schedule, double clip_norm);

  /// One update from the mean of the losses, each of which is made, used and freed before the next: several
  /// small batches do for one that does not fit the memory. Throws DivergedError.
  TrainingStep step(const std::vector<std::function<Var()>>& losses);

  /// From now on the losses are a process's shares of losses, which add up to the whole over all processes;
  /// so do the gradients. `parallel` must live as long as the trainer; null: no more.
  void share_work(Communicator* communicator, DataParallel* parallel) {
    communicator_ = communicator;
    parallel_ = parallel;
  }

  Index steps_done() const { return steps_; }
  void set_steps_done(Index steps) { steps_ = steps; }
  /// Multiplies the rates of the schedule, as after a plateau.
  void set_rate_factor(double factor) { rate_factor_ = factor; }
  double rate_factor() const { return rate_factor_; }

 private:
  std::vector<NamedParameter> parameters_;
  Optimizer& optimizer_;
  Schedule schedule_;
  double clip_norm_;
  Index steps_ = 0;
  double rate_factor_ = 1;
  Communicator* communicator_ = nullptr;
  DataParallel* parallel_ = nullptr;
};

}  // namespace gradual
