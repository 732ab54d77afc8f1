#include "train.hpp"

#include <cmath>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <optional>
#include <stdexcept>

#include <gradual/autograd/profiler.hpp>
#include <gradual/core/error.hpp>
#include <gradual/core/files/atomic_file.hpp>
#include <gradual/core/products/products.hpp>
#include <gradual/core/threads.hpp>
#include <gradual/nn/diagnosis/step_trace.hpp>
#include <gradual/nn/inspect/milestone_log.hpp>
#include <gradual/nn/training/history.hpp>
#include <gradual/nn/training/interruption.hpp>
#include <gradual/nn/training/run_folder.hpp>

#include "../command_mistakes.hpp"
#include "../terminal/reporter.hpp"
#include "config_file.hpp"
#include "diagnosis/before_training.hpp"
#include "diagnosis/time_travel.hpp"
#include "known_text.hpp"
#include "run_description.hpp"
#include "training.hpp"

using namespace gradual;

namespace {

// One that does not lead is silent and has a folder of its own.
TrainSettings settings_of_process(TrainSettings settings, const Team& team) {
  if (!team.leads()) {
    settings.out += "/process-" + std::to_string(team.communicator().rank());
    settings.json = true;
  }
  return settings;
}

class TrainingRun : public Training {
 public:
  TrainingRun(const TrainSettings& whole_run, const Corpora& corpora, const Team& team)
      : Training(settings_of_process(whole_run, team), corpora, team),
        reporter_(settings_.steps, settings_.json),
        folder_(settings_.out, held_out_names(), typed_command("translate") + " train"),
        snapshots_(settings_.average, settings_.snapshot_every,
                   [this](Index number) { return folder_.snapshot(number); }),
        history_(folder_.path(), settings_.steps,
                 static_cast<double>(count(parameters_)) * sizeof(Real) * (settings_.ema > 0 ? 4 : 3),
                 team.is_alone() ? settings_.history : 0) {
    for (const std::string* input : {&settings_.tsv, &settings_.source_file, &settings_.target_file,
                                     &settings_.test_source_file, &settings_.test_target_file})
      folder_.require_elsewhere(*input);
    trainer_.share_work(team);
    trainer_.explain_divergence(random_);
    if (settings_.resume) folder_.resume(trainer_, random_, settings_.used, text_.fingerprint());
    team.separate(random_);
    if (!settings_.resume) begin_anew();
    TrainingHistory::remove_after(folder_.path(), trainer_.steps_done());
    write_file_atomically(folder_.settings(), settings_.used + config_line("out", settings_.out));
    save_held_out(settings_.out, corpora.held_out);
    translator_.source().vocabulary.save(folder_.vocabulary("source"));
    translator_.target().vocabulary.save(folder_.vocabulary("target"));
    log_.emplace(folder_.log(), trainer_.steps_done());
    milestones_.emplace(folder_.milestones(), trainer_.steps_done(), settings_.steps, corpora.held_out,
                        corpora.aligned, translator_);
    std::filesystem::remove(folder_.page());  // until this run is finished, too
    plan_what_is_done_on_the_way();
    const Index unwatched = validation_ ? validation_->too_long() : 0;
    reporter_.say_wrapped(text(
        text_.pairs().size(), " pairs to train on, ", left_out(), " left out as too long; ",
        unwatched > 0 ? text(unwatched, " left out of validation as too long; ") : "",
        translator_.source().vocabulary.size(), " and ", translator_.target().vocabulary.size(), " tokens; ",
        count(parameters_), " parameters; ", thread_count(), " threads; ", blas_description()));
  }

  /// Returns the exit code.
  int train() {
    std::optional<Interruption> interruption(std::in_place);
    const bool finished = make_steps(*interruption);
    const int signal =
        interruption->signal() != 0 ? interruption->signal() : SIGINT;  // another's of the team
    const std::string name = interruption->name();
    interruption.reset();  // what is left can be stopped as any program
    if (finished) {
      if (team_.leads()) finish();
      return 0;
    }
    if (team_.leads())
      std::cerr << "interrupted" << (name.empty() ? "" : " by " + name) << " after step "
                << trainer_.steps_done() << " of " << settings_.steps << "; " << how_to_go_on() << std::endl;
    return 128 + signal;
  }

  std::string how_to_go_on() const { return folder_.how_to_go_on(); }

 private:
  // False when interrupted.
  bool make_steps(const Interruption& interruption) {
    std::optional<Profiler> profiler;
    if (settings_.profile) profiler.emplace();
    trainer_.interrupt_when([&] { return team_.any(interruption.signal() != 0); });
    steps_before_ = trainer_.steps_done();
    seconds_before_ = trainer_.seconds();
    if (trainer_.steps_done() < settings_.trace) begin_trace();
    const bool finished = trainer_.run([&](Index n) {
      if (tracer_ && n % settings_.accumulate == 0) tracer_->begin();  // not what was looked at since
      return loss_of_batch(n);
    });
    reporter_.end_line();
    if (profiler && steps_made() > 0)
      std::cerr << "a step, on average:\n"
                << profile_table(profiler->operations(), measure_machine(), steps_made());
    if (finished) milestones_->add(trainer_.steps_done(), translator_);
    // The model of a finished run may be an average or the best: not what the last step made.
    if (steps_made() > 0 || !settings_.resume) save_state();
    return finished;
  }

  void finish() {
    choose_final_model();
    RunResult result;
    result.training = log_->points();
    result.milestones = milestones_->milestones();
    result.loss = log_->recent_loss();
    result.pairs = text_.pairs().size();
    result.left_out = left_out();
    if (validation_) result.validation_left_out = validation_->too_long();
    if (validation_)
      result.best_validation =
          settings_.watch == "bleu" ? -trainer_.patience().best() : trainer_.patience().best();
    result.seconds = trainer_.seconds();
    result.tokens_per_second = tokens_per_second();
    result.steps = trainer_.steps_done();
    reporter_.say(plot_of(result.training));
    reporter_.say(text("trained in ", std::round(result.seconds * 10) / 10, " s, ",
                       std::round(result.tokens_per_second), " tokens a second",
                       trainer_.stopped_early() ? "; stopped early" : ""));
    for (const HeldOutSet& set : corpora_.held_out) {
      result.evaluations.push_back(evaluate(translator_, set, settings_.test));
      reporter_.say(result.evaluations.back().line());
    }
    reporter_.say(result.evaluations.front().first_sentences());
    write_file_atomically(folder_.page(), run_page(describe(translator_, settings_, result)));
    reporter_.say(
        text("\nmodel  ", folder_.model(), "\nlog    ", folder_.log(), "\npage   ", folder_.page()));
    reporter_.say(next_commands(folder_.model()));
    if (settings_.json) std::cout << figures_line(translator_, result) << std::endl;
  }

  // Takes the place of a run that was here. What shows how far that one was goes away: until this one is as
  // far, there is nothing to go on from.
  void begin_anew() {
    const std::string moved = team_.leads() ? folder_.make_room(settings_.used, text_.fingerprint()) : "";
    if (!moved.empty()) std::cerr << moved << std::endl;
    std::filesystem::remove(folder_.checkpoint());
    std::filesystem::remove(folder_.trace());
    if (settings_.fork.empty()) return;
    const std::string start = history_.path(settings_.at_step);
    fork_run(settings_, team_, folder_.path(), start);
    trainer_.load_checkpoint(start, random_);
    trainer_.save_checkpoint(start, random_, note());
  }

  // The first steps of this run, each tensor as a checksum.
  void begin_trace() {
    traces_.emplace(folder_.trace(), trainer_.steps_done(), [](const std::string&) {});
    if (trainer_.steps_done() == 0) traces_->add(StepTracer().finish(0, parameters_).line());
    tracer_.emplace();
  }
  void trace(Index step) {
    if (!tracer_) return;
    traces_->add(tracer_->finish(step, parameters_).line());
    if (step >= settings_.trace) tracer_.reset();
  }

  void plan_what_is_done_on_the_way() {
    if (settings_.trace > 0) trainer_.every(1, [this](const TrainingStep& now) { trace(now.step); });
    watch([this] { translator_.save(folder_.best()); });
    trainer_.every(1, [this](const TrainingStep& now) { write_down(now); });
    trainer_.every(1, [this](const TrainingStep& now) {
      if (milestones_->is_due(now.step)) milestones_->add(now.step, translator_, now.gradient_norm);
      if (snapshots_.is_due(now.step)) translator_.save(snapshots_.path(now.step));
      if (history_.is_due(now.step)) add_to_history(now.step);
    });
    trainer_.every(settings_.checkpoint_every, [this](const TrainingStep&) { save_state(); });
  }

  // A disk that is full for what only looks back must not end what goes forward.
  void add_to_history(Index step) {
    if (history_ended_) return;
    try {
      trainer_.save_checkpoint(history_.path(step), random_, note());
    } catch (const FileError& error) {
      history_ended_ = true;
      std::cerr << error.what() << "; the history of this run ends here, and training goes on" << std::endl;
    }
  }

  void write_down(const TrainingStep& now) {
    const double speed = tokens_per_second();
    log_->add({now.step, now.loss, speed, now.learning_rate, validation_loss_, now.gradient_norm,
               trainer_.seconds(), validation_bleu_});
    validation_loss_ = validation_bleu_ = TrainingPoint::not_measured;
    reporter_.show_below([this](Index columns) { return sentence_now(columns); });
    reporter_.show({now.step, settings_.steps, log_->recent_loss(), speed,
                    seconds_now() * static_cast<double>(now.step) / static_cast<double>(steps_made())});
  }

  // A held-out sentence as it is translated at this moment; the words that are right are green.
  std::string sentence_now(Index columns) const {
    const SentencePair* const pair = pair_for_a_line(corpora_.held_out);
    if (!pair || !translator_.has_room_for(translator_.encode(*pair))) return "";
    return sentence_line(pair->source, translator_.translate({pair->source}).front(), pair->target, columns);
  }

  Index steps_made() const { return trainer_.steps_done() - steps_before_; }
  double seconds_now() const { return trainer_.seconds() - seconds_before_; }
  double tokens_per_second() const {
    if (steps_made() > 0) return tokens_ / seconds_now();
    const std::vector<TrainingPoint> before = log_->points();  // there was nothing to do
    return before.empty() ? 0 : before.back().tokens_per_second;
  }

  // Pairs with more words than --max-words or more tokens than a batch.
  Index left_out() const { return corpora_.text->too_long() + text_.too_long(); }

  // The averaged model where there is one, else the best where training was watched, else the last.
  void choose_final_model() {
    const std::vector<std::string> snapshots = snapshots_.latest(trainer_.steps_done());
    if (settings_.average > 0 && snapshots.empty())
      std::cerr << "--average has nothing to average: training ended after step " << trainer_.steps_done()
                << ", --snapshot-every is " << settings_.snapshot_every << "; the model is that of the "
                << (validation_ ? "best look" : "last step") << std::endl;
    if (trainer_.averages())
      set_parameters(parameters_, *trainer_.averages());
    else if (!snapshots.empty())
      set_parameters(parameters_, mean_of_files(snapshots));
    else if (validation_)
      set_parameters(parameters_, values_of(gradual::parameters(Translator::load(folder_.best()).model())));
    translator_.save(folder_.model());
  }

  void save_state() {
    translator_.save(folder_.model());
    trainer_.save_checkpoint(folder_.checkpoint(), random_, note());
  }

  Reporter reporter_;
  RunFolder folder_;  // after the translator and the text: bad settings leave no folder behind
  Snapshots snapshots_;
  TrainingHistory history_;
  bool history_ended_ = false;
  std::optional<TrainingLog> log_;
  std::optional<MilestoneLog> milestones_;
  std::optional<StepLog> traces_;
  std::optional<StepTracer> tracer_;
  double seconds_before_ = 0;
  Index steps_before_ = 0;
};

}  // namespace

int run_training(const TrainSettings& settings, const Corpora& corpora, const Team& team) {
  if (settings.check) return check_before_training(settings, corpora, team);
  if (settings.doctor) return examine_before_training(settings, corpora, team);
  TrainingRun run(settings, corpora, team);
  try {
    return run.train();
  } catch (const FileError& error) {  // a full disk, say
    throw std::runtime_error(text(error.what(), "\n", run.how_to_go_on()));
  }
}
