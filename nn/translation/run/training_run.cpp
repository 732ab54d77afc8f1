#include <gradual/nn/translation/run/training_run.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>
#include <vector>

#include <gradual/core/error.hpp>
#include <gradual/core/files/atomic_file.hpp>
#include <gradual/core/files/config_lines.hpp>
#include <gradual/core/files/path.hpp>
#include <gradual/nn/training/averaging.hpp>

namespace gradual {

TrainingRun::TrainingRun(const RunSettings& settings, const Corpora& corpora, const Team& team,
                         const EarlierRun* origin, std::string command,
                         std::function<void(const std::string&)> warn)
    : TranslatorTraining(settings, corpora, team),
      warn_(std::move(warn)),
      snapshots_(settings_.average, settings_.snapshot_every,
                 [this](Index number) { return folder_.snapshot(number); }),
      origin_(made_again(origin)),
      folder_(settings_.resume && team.leads() ? RunFolder::with_checkpoint(settings_.out) : settings_.out,
              held_out_names(), std::move(command)),
      history_(folder_.path(), settings_.schedule.total,
               static_cast<double>(count(parameters_)) * sizeof(Real) * (settings_.ema > 0 ? 4 : 3),
               team.is_alone() ? settings_.history : 0) {
  for (const std::string& input : settings_.files()) folder_.require_elsewhere(input);
  trainer_.share_work(team);
  trainer_.explain_divergence(random_);
  if (settings_.resume) folder_.resume(trainer_, random_, settings_.used, text_.fingerprint());
  team.separate(random_);
  if (!settings_.resume) begin_anew(origin);
  TrainingHistory::remove_after(folder_.path(), trainer_.steps_done());
  write_file_atomically(folder_.settings(), settings_.used + config_line("out", settings_.out));
  save_held_out(settings_.out, corpora.held_out);
  translator_.source().vocabulary.save(folder_.vocabulary("source"));
  translator_.target().vocabulary.save(folder_.vocabulary("target"));
  log_.emplace(folder_.log(), trainer_.steps_done());
  std::filesystem::remove(path_of(folder_.page()));  // until this run is finished, too
  steps_before_ = trainer_.steps_done();
  seconds_before_ = trainer_.seconds();
  warn_of_early_snapshots();
}

// As where a preset's steps are made fewer, and its warm-up is not.
void TrainingRun::warn_of_early_snapshots() const {
  const Schedule& schedule = settings_.schedule;
  const std::vector<Index> steps = snapshots_.steps(schedule.total);
  if (!steps.empty() && steps.front() < schedule.warmup)
    warn_(text("--average takes the mean of snapshots from step ", steps.front(), " to ", steps.back(),
               ", and the learning rate rises until step ", schedule.warmup,
               ": in fewer steps, a smaller --warmup and --snapshot-every make a better model"));
}

// Takes the place of a run that was here. What shows how far that one was goes away: until this one is as
// far, there is nothing to go on from.
void TrainingRun::begin_anew(const EarlierRun* origin) {
  const std::string moved = team_.leads() ? folder_.make_room(settings_.used, text_.fingerprint()) : "";
  if (!moved.empty()) warn_(moved);
  std::filesystem::remove(path_of(folder_.checkpoint()));
  std::filesystem::remove(path_of(folder_.trace()));
  if (origin) begin_fork(*origin, *std::exchange(origin_, std::nullopt));
}

// The steps before a fork whose snapshots may count at its end, which comes with the last step, or any time
// by patience.
std::vector<Index> TrainingRun::steps_of_origin() const {
  const Index at_step = settings_.at_step;
  std::vector<Index> steps = snapshots_.steps(settings_.patience > 0 ? at_step : settings_.schedule.total);
  steps.erase(std::upper_bound(steps.begin(), steps.end(), at_step), steps.end());
  return steps;
}

// Before the folder is made, and before what is in it makes room: the steps may not come again, and the test
// sets may be too long for the model, which would be said after all steps.
std::optional<TrainingRun::Origin> TrainingRun::made_again(const EarlierRun* origin) const {
  for (const HeldOutSet& set : corpora_.held_out) pairs_with_room(translator_, set);
  if (!origin) return std::nullopt;
  origin->require_step(settings_.at_step);  // first, as it is the one that was asked for
  const std::vector<Index> steps = steps_of_origin();
  for (const Index step : steps) origin->require_step(step);
  Origin made{origin->beginning(), {}};
  require_state_of(*made.training);
  for (const Index step : steps) {
    origin->bring(*made.training, step);
    made.snapshots.emplace_back(step, values_of(made.training->parameters()));
  }
  origin->bring(*made.training, settings_.at_step);
  return made;
}

// The model of a watched fork is the best of its own steps, so that it looks anew.
void TrainingRun::begin_fork(const EarlierRun& run, const Origin& origin) {
  TranslatorTraining& training = *origin.training;
  const std::string start = history_.path(settings_.at_step);
  training.trainer().save_checkpoint(start, training.random(), "fork");
  trainer_.load_checkpoint(start, random_);
  trainer_.forget_looks();
  trainer_.save_checkpoint(start, random_, note());
  for (const auto& [step, values] : origin.snapshots) {
    set_parameters(training.parameters(), values);
    training.translator().save(snapshots_.path(step));
  }
  run.copy_logs(folder_.path());
}

bool TrainingRun::make_steps(std::function<bool()> interrupted,
                             std::function<void(const TrainingStep&)> after_step) {
  trainer_.interrupt_when([this, asked = std::move(interrupted)] { return team_.any(asked()); });
  plan_what_is_done_on_the_way(after_step);
  if (trainer_.steps_done() < settings_.trace) begin_trace();
  const bool is_whole = trainer_.run([&](Index n) {
    if (tracer_ && n % settings_.accumulate == 0) tracer_->begin();  // not what was looked at since
    return loss_of_batch(n);
  });
  tracer_.reset();  // where the run was shorter than what was to be traced
  return is_whole;
}

void TrainingRun::plan_what_is_done_on_the_way(const std::function<void(const TrainingStep&)>& after_step) {
  if (settings_.trace > 0) trainer_.every(1, [this](const TrainingStep& now) { trace(now.step); });
  watch([this] { translator_.save(folder_.best()); });
  trainer_.every(1, [this](const TrainingStep& now) { write_down(now); });
  trainer_.every(1, after_step);
  trainer_.every(1, [this](const TrainingStep& now) {
    if (snapshots_.is_due(now.step)) translator_.save(snapshots_.path(now.step));
    if (history_.is_due(now.step)) add_to_history(now.step);
  });
  trainer_.every(settings_.checkpoint_every, [this](const TrainingStep&) { save_state(); });
}

// The first steps of this run, each tensor as a checksum.
void TrainingRun::begin_trace() {
  traces_.emplace(folder_.trace(), trainer_.steps_done(), [](const std::string&) {});
  if (trainer_.steps_done() == 0) traces_->add(StepTracer().finish(0, parameters_).line());
  tracer_.emplace();
}

void TrainingRun::trace(Index step) {
  if (!tracer_) return;
  traces_->add(tracer_->finish(step, parameters_).line());
  if (step >= settings_.trace) tracer_.reset();
}

void TrainingRun::write_down(const TrainingStep& now) {
  log_->add({now.step, now.loss, tokens_per_second(), now.learning_rate, validation_loss_, now.gradient_norm,
             trainer_.seconds(), validation_bleu_});
  validation_loss_ = validation_bleu_ = TrainingPoint::not_measured;
}

// A disk that is full for what only looks back must not end what goes forward.
void TrainingRun::add_to_history(Index step) {
  if (history_ended_) return;
  try {
    trainer_.save_checkpoint(history_.path(step), random_, note());
  } catch (const FileError& error) {
    history_ended_ = true;
    warn_(text(error.what(), "; the history of this run ends here, and training goes on"));
  }
}

void TrainingRun::save_what_was_made() const {
  if (steps_made() > 0 || !settings_.resume) save_state();
}

void TrainingRun::save_state() const {
  translator_.save(folder_.model());
  trainer_.save_checkpoint(folder_.checkpoint(), random_, note());
}

void TrainingRun::choose_final_model() {
  const std::vector<std::string> snapshots = snapshots_.latest(trainer_.steps_done());
  if (settings_.average > 0 && snapshots.empty())
    warn_(text("--average has nothing to average: training ended after step ", trainer_.steps_done(),
               ", --snapshot-every is ", settings_.snapshot_every, "; the model is that of the ",
               validation_ ? "best look" : "last step"));
  if (!snapshots.empty())
    set_parameters(parameters_, mean_of_files(snapshots));
  else if (validation_ && trainer_.patience().has_best())  // of the averages, where there are any
    set_parameters(parameters_, values_of(gradual::parameters(Translator::load(folder_.best()).model())));
  else if (trainer_.averages())
    set_parameters(parameters_, *trainer_.averages());
  require_finite_loss();
  translator_.save(folder_.model());
}

// A last step may lead where nothing is a number, and no step comes after it to say so.
void TrainingRun::require_finite_loss() {
  const NoGrad no_grad;
  const EvaluationScope evaluation;
  const auto loss = translator_.model().loss(batch(trainer_.steps_done() * settings_.accumulate), {});
  if (!std::isfinite(loss.value().item()))
    throw DivergedError(text("train: the loss of the model must be finite: it is ", loss.value().item(),
                             " after step ", trainer_.steps_done(),
                             "; a lower learning rate or a longer warm-up usually helps"));
}

double TrainingRun::best_validation() const {
  if (!validation_ || !trainer_.patience().has_best()) return TrainingPoint::not_measured;
  const double best = trainer_.patience().best();
  return settings_.watch == "bleu" ? -best : best;
}

double TrainingRun::tokens_per_second() const {
  if (steps_made() > 0) return tokens_ / seconds();
  const std::vector<TrainingPoint> before = log_->points();  // there was nothing to do
  return before.empty() ? 0 : before.back().tokens_per_second;
}

}  // namespace gradual
