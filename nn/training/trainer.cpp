#include <gradual/nn/training/trainer.hpp>

#include <chrono>
#include <cmath>

#include <gradual/autograd/anomaly.hpp>
#include <gradual/autograd/profiler.hpp>
#include <gradual/core/error.hpp>
#include <gradual/core/products/products.hpp>

namespace gradual {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Dropout drops while it lives.
class TrainingMode {
 public:
  explicit TrainingMode(const std::vector<Mode*>& modes) : modes_(modes) { set(true); }
  ~TrainingMode() { set(false); }
  TrainingMode(const TrainingMode&) = delete;
  TrainingMode& operator=(const TrainingMode&) = delete;

 private:
  void set(bool training) const {
    for (Mode* mode : modes_) mode->training = training;
  }
  const std::vector<Mode*>& modes_;
};

// Adds the time that it runs to some seconds.
class Stopwatch {
 public:
  explicit Stopwatch(double& seconds) : seconds_(seconds), before_(seconds), start_(Clock::now()) {}
  void read() const { seconds_ = before_ + seconds_since(start_); }

 private:
  double& seconds_;
  double before_;
  Clock::time_point start_;
};

// Ends what was borrowed when it ends itself, by an exception, too.
struct GiveBack {
  std::optional<BorrowedValues>& borrowed;
  ~GiveBack() { borrowed.reset(); }
};

void check_positive(Index n) {
  if (n < 1)
    throw std::invalid_argument(text("trainer: how often something is done must be positive: got ", n));
}

}  // namespace

Trainer::Trainer(const Visitor& model, Optimizer& optimizer, Schedule schedule, TrainerOptions options)
    : parameters_(model.parameters()),
      modes_(model.modes()),
      optimizer_(optimizer),
      schedule_(schedule),
      options_(options) {
  if (options.accumulate < 1)
    throw std::invalid_argument(text("trainer: a step takes a batch at least: got ", options.accumulate));
  if (!(options.clip >= 0))
    throw std::invalid_argument(
        text("trainer: clip must be at least 0, which clips none: got ", options.clip));
  if (options.average != 0) average_.emplace(parameters_, options.average);
}

bool Trainer::run(const LossOfBatch& loss_of_batch) {
  const Stopwatch stopwatch(seconds_);
  TrainingStep all;
  Index steps_of_run = 0;
  while (steps_ < schedule_.total && !stopped_early()) {
    if (interrupted_ && interrupted_()) return false;
    TrainingStep now = step(loss_of_batch);
    now.steps_of_run = ++steps_of_run;
    now.seconds = all.seconds += now.seconds;
    now.floating_points = all.floating_points += now.floating_points;
    const double loss = now.loss;
    const std::size_t asked_for = appointments_.size();  // those that these ask for begin with the next step
    for (std::size_t i = 0; i < asked_for; ++i) {
      Appointment& each = appointments_[i];
      each.loss += loss;
      ++each.steps;
      if (!each.is_due(steps_)) continue;
      now.loss = each.loss / static_cast<double>(each.steps);
      each.loss = 0;
      each.steps = 0;
      stopwatch.read();
      each.call(now);
    }
    stopwatch.read();
  }
  return true;
}

TrainingStep Trainer::step(const LossOfBatch& loss_of_batch) {
  if (!drawn_from_) return attempt(loss_of_batch);
  const Random::State before = drawn_from_->state();
  try {
    return attempt(loss_of_batch);
  } catch (const DivergedError& error) {
    drawn_from_->set_state(before);
    const AnomalyDetection detection;
    try {
      attempt(loss_of_batch);
    } catch (const AnomalyError& anomaly) {
      throw DivergedError(text(error.what(), "; the first such number: ", anomaly.what()));
    } catch (const DivergedError&) {  // all numbers were finite, and their sum is not
    }
    throw;
  }
}

TrainingStep Trainer::attempt(const LossOfBatch& loss_of_batch) {
  Profiler::mark("between steps");
  const auto start = Clock::now();
  const std::int64_t flops_before = flop_count();
  TrainingStep report{steps_ + 1, 0, rate_factor_ * schedule_(steps_ + 1)};
  std::optional<TrainingMode> training(modes_);
  zero_gradients(parameters_);
  double weight = 0;  // of all batches
  unit_ = 0;
  for (Index i = 0; i < options_.accumulate; ++i) {
    const BatchLoss loss = loss_of_batch(steps_ * options_.accumulate + i);
    const double added = add_gradient(loss, i + 1 == options_.accumulate);
    if (added > 0) report.loss += added * static_cast<double>(loss.mean.value().item());
    weight += added;
  }
  training.reset();
  if (parallel_) {
    parallel_->finish();
    report.loss = team_->communicator().sum(report.loss);
    weight = team_->communicator().sum(weight);
  }
  if (weight == 0)
    throw std::invalid_argument("training step: there must be words to learn: all batches have 0");
  const double share = 1 / weight;
  report.loss *= share;
  report.gradient_norm = gradient_norm(parameters_) * share;
  if (!std::isfinite(report.loss) || !std::isfinite(report.gradient_norm))
    throw DivergedError(text("training step ", report.step,
                             ": the loss and its gradient must be finite: loss is ", report.loss,
                             ", gradient norm is ", report.gradient_norm,
                             "; a lower learning rate or a longer warm-up usually helps"));
  const double clipping = options_.clip > 0 ? clipping_scale(report.gradient_norm, options_.clip) : 1;
  optimizer_.step(report.learning_rate, share * clipping);
  ++steps_;
  if (average_) average_->update(steps_);
  Profiler::mark("clipping and update");
  report.seconds = seconds_since(start);
  report.floating_points = flop_count() - flops_before;
  return report;
}

double Trainer::add_gradient(const BatchLoss& loss, bool is_last) {
  if (parallel_ && is_last) parallel_->start();
  const bool is_alone = !parallel_ && options_.accumulate == 1;
  if (!loss.words && !is_alone)
    throw std::invalid_argument(
        "training step: where several batches make a step, each must say how many words it has");
  const auto words = static_cast<double>(loss.words.value_or(1));
  if (words == 0) return 0;
  // In units of the first batch, which is then taken as it is: alone, it gives the bits of its own gradient.
  // Several processes count in one unit.
  if (unit_ == 0) unit_ = parallel_ ? 1 : words;
  const double weight = words / unit_;
  backward(loss.mean, Tensor::full(loss.mean.shape(), static_cast<Real>(weight)));
  return weight;
}

void Trainer::every(Index n, Callback call) {
  check_positive(n);
  appointments_.push_back({[=](Index step) { return step % n == 0; }, std::move(call)});
}

void Trainer::times(Index n, Callback call) {
  check_positive(n);
  const Index all = schedule_.total;
  appointments_.push_back(
      {[=](Index step) { return step * n / all != (step - 1) * n / all; }, std::move(call)});
}

void Trainer::watch(Watching watching) {
  patience_limit_ = watching.patience;
  check_positive(watching.every);
  const Index every = watching.every, last = schedule_.total;
  appointments_.push_back({[=](Index step) { return step % every == 0 || step == last; },
                           [this, watching = std::move(watching)](const TrainingStep&) { look(watching); }});
}

void Trainer::look(const Watching& watching) {
  {
    if (average_) borrowed_.emplace(parameters_, average_->values());
    const GiveBack give_back{borrowed_};
    std::vector<double> figure{watching.figure()};
    if (team_) team_->spread(figure);  // where their numbers differ by rounding, processes must not part ways
    if (patience_.improves(figure[0])) watching.improved();
  }
  const Index looks = patience_.since_best();
  if (watching.plateau > 0 && looks > 0 && looks % watching.plateau == 0) rate_factor_ /= 2;
}

void Trainer::share_work(const Team& team) {
  if (team.is_alone()) return;
  team_ = &team;
  parallel_.emplace(team.communicator(), parameters_);
  if (average_) average_.emplace(parameters_, options_.average);  // of the parameters that all have now
}

}  // namespace gradual
