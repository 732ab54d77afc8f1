// The training loop: loss, gradients, clipping, update, again and again, and what is done on the way.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gradual/core/random.hpp>
#include <gradual/nn/training/averaging.hpp>
#include <gradual/nn/training/checkpoint.hpp>
#include <gradual/nn/training/optimizer.hpp>
#include <gradual/nn/training/parallel/data_parallel.hpp>
#include <gradual/nn/training/parallel/team.hpp>
#include <gradual/nn/training/patience.hpp>
#include <gradual/nn/training/schedule.hpp>

namespace gradual {

/// The loss or its gradient is not a number. The parameters are as they were before the step.
class DivergedError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The loss of a batch: the mean over what counts in it, such as its words, and how many these are. A batch
/// that makes a step of its own need not say; a batch with nothing that counts may leave the mean undefined.
struct BatchLoss {
  /// From the mean, and how much counts in it, where that is to be said.
  BatchLoss(Var mean_loss, std::optional<Index> counted = std::nullopt)
      : mean(std::move(mean_loss)), words(counted) {}
  Var mean;                    ///< the loss that is made smaller
  std::optional<Index> words;  ///< how much counts in it
};

/// Draws the n-th batch of a run, counted from 0, and computes its loss. A run that goes on asks for the same
/// batches as one that was not interrupted.
using LossOfBatch = std::function<BatchLoss(Index n)>;

/// What a step did.
struct TrainingStep {
  Index step = 0;            // counted from 1
  double loss = 0;           ///< the mean over the batch
  double learning_rate = 0;  ///< of this step
  double gradient_norm = 0;  // before clipping
  // Of all steps so far of this run(), without what was done in between:
  Index steps_of_run = 1;
  double seconds = 0;
  std::int64_t floating_points = 0;  // operations in matrix products
};

/// How a Trainer makes a step of its batches.
struct TrainerOptions {
  /// Longer gradients are shortened to this; 0: none are.
  double clip = 1;
  /// Batches whose gradients make one step.
  Index accumulate = 1;
  /// The decay of a moving average of the parameters; 0: none is kept.
  double average = 0;
};

/// Follows the gradient of a loss, step by step. Each step is made in training mode; whoever looks at the
/// model in between or afterwards finds it in evaluation mode.
class Trainer {
 public:
  // ---- Make, and train

  /// Trains `model` by `optimizer`, at the rates that `schedule` gives. The model and the optimizer must live
  /// as long. Throws std::invalid_argument for bad options.
  template <class Module>
  Trainer(Module& model, Optimizer& optimizer, Schedule schedule, TrainerOptions options = {})
      : Trainer(visited(model), optimizer, schedule, options) {}

  /// Makes steps until there are schedule.total, or stop(). Returns false where it was interrupted before.
  /// Throws DivergedError.
  bool run(const LossOfBatch& loss_of_batch);

  /// One update from the mean of the next `accumulate` batches over all of their words: as one large batch
  /// would give it, however it is cut. Each loss is made, used and freed before the next. Throws
  /// DivergedError, and std::invalid_argument where several batches do not say how many words they have, or
  /// none has any.
  TrainingStep step(const LossOfBatch& loss_of_batch);

  // ---- On the way

  /// What run() calls with each step, or with some, in the order in which it was asked for; what one of them
  /// asks for begins with the next step.
  using Callback = std::function<void(const TrainingStep&)>;
  /// After every n-th step; the loss is the mean of all steps since the last call.
  void every(Index n, Callback call);
  /// n times on the way, evenly, at last after the last step; the loss likewise.
  void times(Index n, Callback call);

  /// How a run is watched.
  struct Watching {
    /// A figure that should fall, such as the loss on sentences that are not trained on. The parameters have
    /// their averages meanwhile, where these are kept.
    std::function<double()> figure;
    /// After a look that found the lowest so far; the same parameters.
    std::function<void()> improved = [] {};
    Index every = 500;   ///< steps between looks; the last step is looked at, too
    Index patience = 0;  ///< looks in a row without a new best until run() ends; 0: it never does
    Index plateau = 0;   ///< looks in a row without a new best until the rate is halved; 0: it never is
  };
  /// Looks at a figure now and then, and ends run() or halves the rate where it does not fall.
  void watch(Watching watching);

  /// Asked before each step, by all processes; true interrupts run().
  void interrupt_when(std::function<bool()> asked) { interrupted_ = std::move(asked); }
  /// Ends run() after this step, as if it were the last.
  void stop() { stopped_ = true; }

  // ---- Divergence, and shared work

  /// Makes a step that diverged once more, with the numbers that `random` had before it, the stream that the
  /// model draws from: now each number is looked at, and DivergedError names the operation that made the
  /// first that is none. Costs nothing before (see AnomalyDetection).
  void explain_divergence(const Random& random) { drawn_from_ = random; }

  /// From now on the losses are those of a process's shares of batches; to be called before
  /// load_checkpoint(). `team` must live as long as the trainer. Gives all processes the parameters of the
  /// one that leads.
  void share_work(const Team& team);

  // ---- Checkpoints

  /// Writes everything that a later run needs to go on; `random` is the stream that the model draws from. A
  /// look at the same step must come before: ask for it by watch() before the callback that saves. Throws
  /// FileError.
  void save_checkpoint(const std::string& path, const Random& random, const std::string& note = "") const;
  /// Goes on from it, to the bits that there would have been without the interruption; means that callbacks
  /// get begin anew, and stop() is forgotten. All processes call it, and the one that leads reads. Throws
  /// what gradual::load_checkpoint throws.
  void load_checkpoint(const std::string& path, Random& random,
                       const std::function<void(const std::string& note)>& accept = {});

  /// The next look is the first: what was the best before, and how long ago, does not count.
  void forget_looks() { patience_ = Patience(); }

  // ---- How far it is

  /// How many steps were made, those before an interruption among them.
  Index steps_done() const { return steps_; }
  /// Of run(), looks and callbacks included, and of the runs before that it goes on from.
  double seconds() const { return seconds_; }
  /// Whether its patience ended before its steps did.
  bool stopped_early() const {
    return stopped_ || (patience_limit_ > 0 && patience_.since_best() >= patience_limit_);
  }
  /// How long it has waited for a better figure.
  const Patience& patience() const { return patience_; }
  /// The moving average; null where none is kept.
  const NamedTensors* averages() const { return average_ ? &average_->values() : nullptr; }

 private:
  struct Appointment {
    std::function<bool(Index step)> is_due;
    Callback call;
    double loss = 0;  // the sum since the last call
    Index steps = 0;
  };

  template <class Module>
  static Visitor visited(Module& model) {
    Visitor visitor;
    model.visit(visitor);
    return visitor;
  }
  Trainer(const Visitor& model, Optimizer& optimizer, Schedule schedule, TrainerOptions options);
  TrainingStep attempt(const LossOfBatch& loss_of_batch);
  /// Adds the gradient of a loss, as often as it has words; returns how often that was.
  double add_gradient(const BatchLoss& loss, bool is_last);
  void look(const Watching& watching);
  TrainingState state(const Random& random, const std::string& note) const;
  void spread(TrainingState& state) const;

  std::vector<NamedParameter> parameters_;
  std::vector<Mode*> modes_;
  Optimizer& optimizer_;
  Schedule schedule_;
  TrainerOptions options_;
  Index steps_ = 0;
  double rate_factor_ = 1, seconds_ = 0;
  double unit_ = 0;  // the words that count as one in the sum of a step
  bool stopped_ = false;
  Patience patience_;
  Index patience_limit_ = 0;
  std::deque<Appointment> appointments_;  // which may ask for more
  std::function<bool()> interrupted_;
  std::optional<Random> drawn_from_;
  std::optional<ExponentialAverage> average_;
  std::optional<BorrowedValues> borrowed_;  // the averages, during a look
  const Team* team_ = nullptr;
  std::optional<DataParallel> parallel_;
};

}  // namespace gradual
