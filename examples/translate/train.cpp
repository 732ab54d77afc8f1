#include "train.hpp"

#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <optional>

#include <nlohmann/json.hpp>

#include <gradual/autograd/profiler.hpp>
#include <gradual/core/error.hpp>
#include <gradual/core/files/atomic_file.hpp>
#include <gradual/core/products/products.hpp>
#include <gradual/core/threads.hpp>
#include <gradual/nn/training/averaging.hpp>
#include <gradual/nn/training/checkpoint.hpp>
#include <gradual/nn/training/patience.hpp>
#include <gradual/nn/translation/translator.hpp>

#include "config_file.hpp"
#include "encoded_text.hpp"
#include "evaluation.hpp"
#include "milestones.hpp"
#include "run_description.hpp"
#include "run_folder.hpp"
#include "watch.hpp"

using namespace gradual;
using Json = nlohmann::ordered_json;

namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may write it");

class TrainingRun {
 public:
  TrainingRun(const TrainSettings& settings, const Corpora& corpora, const Team& team)
      : settings_(settings),
        corpora_(corpora),
        team_(team),
        reporter_(settings.steps, settings.json),
        random_(settings.seed),
        translator_(new_translator(settings, *corpora.text, random_)),
        text_(translator_, corpora, settings.batch_tokens, settings.seed),
        watch_(settings.validation > 0
                   ? std::optional<Watch>(std::in_place, translator_, corpora.text->validation(), settings)
                   : std::nullopt),
        folder_(settings.out),
        parameters_(parameters(translator_.model())),
        adam_(parameters_, AdamOptions{0.9, 0.98, 1e-9, settings.weight_decay}),
        trainer_(parameters_, adam_, settings.schedule, settings.clip) {
    if (settings.ema > 0) ema_.emplace(parameters_, settings.ema);
    translator_.set_notes(settings.used);
    for (const std::string* input : {&settings.tsv, &settings.source_file, &settings.target_file,
                                     &settings.test_source_file, &settings.test_target_file})
      folder_.require_elsewhere(*input);
    if (settings.resume) go_on();
    if (!team.is_alone()) {
      team.separate(random_);
      parallel_.emplace(team.communicator(), parameters_);
      trainer_.share_work(&team.communicator(), &*parallel_);
    }
    if (!settings.resume) begin_anew();
    write_file_atomically(folder_.settings(), settings.used + config_line("out", settings.out));
    save_held_out(settings.out, corpora.held_out);
    translator_.source().vocabulary.save(folder_.vocabulary("source"));
    translator_.target().vocabulary.save(folder_.vocabulary("target"));
    log_.emplace(folder_.log(), trainer_.steps_done());
    milestones_.emplace(folder_.milestones(), trainer_.steps_done(), settings.steps, corpora, translator_);
    std::filesystem::remove(folder_.page());  // until this run is finished, too
    reporter_.say(text(
        text_.pairs().size(), " pairs to train on, ", left_out(), " left out as too long; ",
        watch_ && watch_->too_long() > 0 ? text(watch_->too_long(), " left out of validation as too long; ")
                                         : "",
        translator_.source().vocabulary.size(), " and ", translator_.target().vocabulary.size(), " tokens; ",
        count(parameters_), " parameters; ", thread_count(), " threads; ", blas_description()));
  }

  // False when interrupted.
  bool train() {
    set_training(translator_.model(), true);
    std::optional<Profiler> profiler;
    if (settings_.profile) profiler.emplace();
    const auto start = std::chrono::steady_clock::now();
    const double seconds_before = seconds_;
    double tokens_seen = 0;
    const Index steps_before = trainer_.steps_done();
    bool stopped = false;
    while (trainer_.steps_done() < settings_.steps && !stopped_early_ &&
           !(stopped = team_.any(interrupted))) {
      const TrainingStep step = one_step(tokens_seen);
      if (ema_) ema_->update(step.step);
      double loss = TrainingPoint::not_measured, bleu = TrainingPoint::not_measured;
      if (watch_ && (step.step % settings_.validate_every == 0 || step.step == settings_.steps))
        look(loss, bleu);
      const double seconds = seconds_since(start);
      seconds_ = seconds_before + seconds;
      log_->add(step, tokens_seen / seconds, seconds_, loss, bleu);
      reporter_.show(
          {step.step, settings_.steps, log_->recent_loss(), tokens_seen / seconds,
           seconds * static_cast<double>(step.step) / static_cast<double>(step.step - steps_before)});
      if (milestones_->is_due(step.step)) milestones_->add(step.step, translator_);
      if (settings_.average > 0 && step.step % settings_.snapshot_every == 0)
        translator_.save(folder_.snapshot(step.step / settings_.snapshot_every % settings_.average));
      if (step.step % settings_.checkpoint_every == 0) save_state();
    }
    const Index steps_made = trainer_.steps_done() - steps_before;
    if (steps_made > 0)
      tokens_per_second_ = tokens_seen / seconds_since(start);
    else if (!log_->points().empty())  // there was nothing left to do
      tokens_per_second_ = log_->points().back().tokens_per_second;
    reporter_.end_line();
    if (profiler && steps_made > 0)
      std::cerr << "a step, on average:\n"
                << profile_table(profiler->operations(), measure_machine(), steps_made);
    if (!stopped) milestones_->add(trainer_.steps_done(), translator_);
    // The model of a finished run may be an average or the best: not what the last step made.
    if (steps_made > 0 || !settings_.resume) save_state();
    return !stopped;
  }

  void finish() {
    choose_final_model();
    RunResult result;
    result.training = log_->points();
    result.milestones = milestones_->milestones();
    result.loss = log_->recent_loss();
    result.pairs = text_.pairs().size();
    result.left_out = left_out();
    if (watch_) result.validation_left_out = watch_->too_long();
    if (watch_) result.best_validation = settings_.watch == "bleu" ? -patience_.best() : patience_.best();
    result.seconds = seconds_;
    result.tokens_per_second = tokens_per_second_;
    result.steps = trainer_.steps_done();
    reporter_.say(log_->plot());
    reporter_.say(text("trained in ", std::round(seconds_ * 10) / 10, " s, ", std::round(tokens_per_second_),
                       " tokens a second", stopped_early_ ? "; stopped early" : ""));
    for (const HeldOutSet& set : corpora_.held_out) {
      result.evaluations.push_back(evaluate(translator_, set, settings_.test));
      reporter_.say(result.evaluations.back().line());
    }
    reporter_.say(result.evaluations.front().first_sentences());
    write_file_atomically(folder_.page(), run_page(describe(translator_, settings_, result)));
    reporter_.say(
        text("\nmodel  ", folder_.model(), "\nlog    ", folder_.log(), "\npage   ", folder_.page()));
    if (settings_.json) std::cout << figures_line(translator_, result) << std::endl;
  }

  Index steps_done() const { return trainer_.steps_done(); }
  const RunFolder& folder() const { return folder_; }

 private:
  // Takes the place of a run that was here. What shows how far that one was goes away: until this one is as
  // far, there is nothing to go on from.
  void begin_anew() {
    const std::string moved = team_.leads() ? folder_.make_room(settings_.used, text_.fingerprint()) : "";
    if (!moved.empty()) std::cerr << moved << std::endl;
    std::filesystem::remove(folder_.checkpoint());
  }

  TrainingStep one_step(double& tokens_seen) {
    const CrossEntropyOptions loss_options{Vocabulary::pad, settings_.label_smoothing};
    std::vector<std::function<Var()>> losses;
    for (Index i = 0; i < settings_.accumulate; ++i) {
      losses.push_back([&] {
        const std::vector<Index>& rows = text_.next_rows();
        const Team::Share share =
            team_.is_alone() ? Team::Share{rows, 1} : team_.share_of(rows, text_.pairs());
        const TranslationBatch batch = make_batch(text_.pairs(), share.rows);
        tokens_seen += static_cast<double>((batch.source.ids.size() + batch.output.size()) *
                                           team_.communicator().size());
        const Var loss = translator_.model().loss(batch, loss_options);
        return team_.is_alone() ? loss : loss * static_cast<Real>(share.part);
      });
    }
    return trainer_.step(losses);
  }

  // Pairs with more words than --max-words or more tokens than a batch.
  Index left_out() const { return corpora_.text->too_long() + text_.too_long(); }

  // How the model does on the validation sentences; keeps the best, slows down or stops where it no longer
  // helps.
  void look(double& loss, double& bleu) {
    {
      std::optional<BorrowedValues> averaged;
      if (ema_) averaged.emplace(parameters_, ema_->values());
      const Watch::Look look = watch_->look(translator_);
      loss = look.loss;
      bleu = look.bleu;
      if (patience_.improves(look.figure)) translator_.save(folder_.best());
    }
    set_training(translator_.model(), true);
    const Index looks = patience_.since_best();
    if (settings_.plateau > 0 && looks > 0 && looks % settings_.plateau == 0)
      trainer_.set_rate_factor(trainer_.rate_factor() / 2);
    stopped_early_ = settings_.patience > 0 && looks >= settings_.patience;
  }

  // What --average is the mean of; nothing where there is no snapshot yet.
  std::vector<std::string> latest_snapshots() const {
    std::vector<std::string> snapshots;
    if (settings_.average == 0) return snapshots;
    const Index made = trainer_.steps_done() / settings_.snapshot_every;
    for (Index n = std::max<Index>(made - settings_.average + 1, 1); n <= made; ++n)
      snapshots.push_back(folder_.snapshot(n % settings_.average));
    return snapshots;
  }

  // The averaged model where there is one, else the best where training was watched, else the last.
  void choose_final_model() {
    const std::vector<std::string> snapshots = latest_snapshots();
    if (settings_.average > 0 && snapshots.empty())
      std::cerr << "--average has nothing to average: training ended after step " << trainer_.steps_done()
                << ", --snapshot-every is " << settings_.snapshot_every << "; the model is that of the "
                << (watch_ ? "best look" : "last step") << std::endl;
    if (ema_) {
      set_parameters(parameters_, ema_->values());
    } else if (!snapshots.empty()) {
      set_parameters(parameters_, mean_of_files(snapshots));
    } else if (watch_) {
      set_parameters(parameters_, values_of(parameters(Translator::load(folder_.best()).model())));
    }
    set_training(translator_.model(), false);
    translator_.save(folder_.model());
  }

  TrainingState state() {
    const Json progress = {{"settings", settings_.used},
                           {"text", text_.fingerprint()},
                           {"best", patience_.best()},
                           {"since_best", patience_.since_best()},
                           {"rate_factor", trainer_.rate_factor()},
                           {"seconds", seconds_},
                           {"batches", text_.batches_seen()}};
    return {parameters_,           adam_,           random_,
            trainer_.steps_done(), progress.dump(), ema_ ? ema_->values() : NamedTensors{}};
  }

  void save_state() {
    translator_.save(folder_.model());
    save_checkpoint(folder_.checkpoint(), state());
  }

  void go_on() {
    std::vector<double> numbers(7);
    if (team_.leads()) numbers = read_checkpoint();
    team_.spread(numbers);
    trainer_.set_steps_done(static_cast<Index>(numbers[0]));
    trainer_.set_rate_factor(numbers[1]);
    patience_.set(numbers[2], static_cast<Index>(numbers[3]));
    stopped_early_ = settings_.patience > 0 && patience_.since_best() >= settings_.patience;
    seconds_ = numbers[4];
    text_.skip_to(static_cast<Index>(numbers[5]));
    random_.set_state({random_.state().seed, static_cast<std::uint64_t>(numbers[6])});
    if (team_.is_alone()) return;
    NamedTensors optimizer = adam_.state(), averages = ema_ ? ema_->values() : NamedTensors{};
    team_.spread(optimizer);
    adam_.set_state(optimizer);
    team_.spread(averages);
    if (ema_) ema_->set_values(averages);
  }

  // Parameters, optimizer and averages; returns the other numbers that a run goes on from.
  std::vector<double> read_checkpoint() {
    TrainingState stored = state();
    folder_.load_checkpoint(stored, settings_.used, text_.fingerprint());
    const Json progress = Json::parse(stored.note);
    if (ema_) ema_->set_values(stored.extra);
    return {static_cast<double>(stored.steps),
            progress.at("rate_factor"),
            progress.at("best"),
            progress.at("since_best"),
            progress.at("seconds"),
            progress.at("batches"),
            static_cast<double>(random_.state().position)};
  }

  const TrainSettings& settings_;
  const Corpora& corpora_;
  const Team& team_;
  Reporter reporter_;
  Random random_;
  Translator translator_;
  EncodedText text_;
  std::optional<Watch> watch_;
  RunFolder folder_;  // after the translator and the text: bad settings leave no folder behind
  std::vector<NamedParameter> parameters_;
  Adam adam_;
  Trainer trainer_;
  std::optional<DataParallel> parallel_;
  std::optional<ExponentialAverage> ema_;
  std::optional<Log> log_;
  std::optional<MilestoneLog> milestones_;
  Patience patience_;
  bool stopped_early_ = false;
  double seconds_ = 0, tokens_per_second_ = 0;
};

bool train(TrainingRun& run, const Team& team) {
  try {
    std::signal(SIGINT, [](int) { interrupted = true; });
    const bool finished = run.train();
    std::signal(SIGINT, SIG_DFL);
    if (finished && team.leads()) run.finish();
    return finished;
  } catch (const FileError& error) {  // a full disk, say
    throw std::runtime_error(text(error.what(), "\n", run.folder().how_to_go_on()));
  }
}

}  // namespace

int run_training(const TrainSettings& whole_run, const Corpora& corpora, const Team& team) {
  const TrainSettings settings = team.own(whole_run);
  TrainingRun run(settings, corpora, team);
  if (train(run, team)) return 0;
  if (team.leads())
    std::cerr << "interrupted after step " << run.steps_done() << " of " << settings.steps << "; "
              << run.folder().how_to_go_on() << "\n";
  return 130;
}
