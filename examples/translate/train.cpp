#include "train.hpp"

#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>

#include <sys/ioctl.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include <gradual/core/blas.hpp>
#include <gradual/core/error.hpp>
#include <gradual/core/files/atomic_file.hpp>
#include <gradual/core/threads.hpp>
#include <gradual/nn/inspect/page/run_page.hpp>
#include <gradual/nn/training/checkpoint.hpp>
#include <gradual/nn/training/progress.hpp>
#include <gradual/nn/training/trainer.hpp>
#include <gradual/nn/translation/attention_maps.hpp>
#include <gradual/nn/translation/translator.hpp>

#include "corpora.hpp"
#include "evaluation.hpp"

namespace files = std::filesystem;
using namespace gradual;
using Json = nlohmann::ordered_json;

namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may write it");

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Says how training goes: one live line on a terminal, a line now and then in a file, nothing with --json.
class Reporter {
 public:
  Reporter(Index total_steps, bool quiet)
      : total_(total_steps), quiet_(quiet), live_(isatty(STDERR_FILENO)) {}

  void say(const std::string& line) const {
    if (!quiet_) std::cout << line << std::endl;
  }
  void show(const Progress& progress) {
    if (quiet_) return;
    const bool due = seconds_since(shown_) > (live_ ? 0.1 : 10.0) || progress.step == total_;
    if (!due) return;
    shown_ = std::chrono::steady_clock::now();
    std::cerr << (live_ ? "\r\033[K" : "") << progress_line(progress, columns()) << (live_ ? "" : "\n")
              << std::flush;
  }
  void end_line() const {
    if (!quiet_ && live_) std::cerr << "\n";
  }

 private:
  Index columns() const {
    winsize size{};
    return live_ && ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 100;
  }

  Index total_;
  bool quiet_, live_;
  std::chrono::steady_clock::time_point shown_{};
};

// The places of a run's files.
struct RunFolder {
  files::path folder;

  explicit RunFolder(const std::string& path) : folder(path) {
    std::error_code problem;
    files::create_directories(folder, problem);
    if (problem) throw FileError(path, "the folder cannot be made: " + problem.message());
  }
  std::string file(const char* name) const { return (folder / name).string(); }
  std::string model() const { return file("model.safetensors"); }
  std::string checkpoint() const { return file("checkpoint.safetensors"); }
  std::string log() const { return file("log.jsonl"); }
  std::string page() const { return file("page.html"); }
};

// What decides the numbers of a run: a checkpoint can only be gone on from with the same.
std::string fingerprint(const TrainSettings& s) {
  return text(s.tsv, '|', s.source_file, '|', s.target_file, '|', s.max_words, '|', s.held_out, '|',
              s.min_count, '|', s.max_vocabulary, '|', s.lower_case, '|', s.steps, '|', s.batch_tokens, '|',
              s.schedule.peak, '|', s.schedule.warmup, '|', s.decay, '|', s.label_smoothing, '|', s.clip, '|',
              s.weight_decay, '|', s.seed);
}

Translator new_translator(const TrainSettings& settings, const Corpora& corpora, Random random) {
  TextSettings text_settings;
  text_settings.lower_case = settings.lower_case;
  std::vector<std::vector<std::string>> sources, targets;
  std::vector<std::string> target_sentences;
  for (const SentencePair& pair : corpora.train) {
    sources.push_back(tokenize(pair.source, text_settings));
    targets.push_back(tokenize(pair.target, text_settings));
    target_sentences.push_back(pair.target);
  }
  text_settings.target_spacing = spacing_of(target_sentences);
  return Translator(settings.model, Vocabulary::build(sources, settings.min_count, settings.max_vocabulary),
                    Vocabulary::build(targets, settings.min_count, settings.max_vocabulary), text_settings,
                    random);
}

// The log: one JSON line a step. Going on after an interruption keeps the lines up to the checkpoint.
class Log {
 public:
  Log(const std::string& path, Index keep_steps) : path_(path) {
    std::string kept;
    std::ifstream before(path);
    for (std::string line; keep_steps > 0 && std::getline(before, line);) {
      const Json entry = Json::parse(line, nullptr, false);
      if (entry.is_discarded() || entry.value("step", Index(0)) > keep_steps) break;
      points_.push_back({entry["step"], entry["loss"], entry["tokens_per_second"], entry["learning_rate"]});
      kept += line + "\n";
    }
    write_file_atomically(path, kept);
    out_.open(path, std::ios::app);
    if (!out_) throw FileError(path, "cannot be written");
  }

  void add(const TrainingStep& step, double tokens_per_second, double seconds) {
    out_ << Json{{"step", step.step},
                 {"loss", step.loss},
                 {"learning_rate", step.learning_rate},
                 {"gradient_norm", step.gradient_norm},
                 {"tokens_per_second", std::round(tokens_per_second)},
                 {"seconds", std::round(seconds * 1000) / 1000}}
                .dump()
         << std::endl;
    if (!out_) throw FileError(path_, "cannot be written");
    points_.push_back({step.step, step.loss, tokens_per_second, step.learning_rate});
  }
  const std::vector<TrainingPoint>& points() const { return points_; }

 private:
  std::string path_;
  std::ofstream out_;
  std::vector<TrainingPoint> points_;
};

// A curve of thousands of steps as the means of at most `most` stretches.
std::vector<TrainingPoint> thinned(const std::vector<TrainingPoint>& points, std::size_t most) {
  const std::size_t stretch = (points.size() + most - 1) / most;
  std::vector<TrainingPoint> result;
  for (std::size_t first = 0; first < points.size(); first += stretch) {
    const std::size_t last = std::min(points.size(), first + stretch);
    TrainingPoint mean = points[last - 1];
    mean.loss = mean.tokens_per_second = 0;
    for (std::size_t i = first; i < last; ++i) {
      mean.loss += points[i].loss / static_cast<double>(last - first);
      mean.tokens_per_second += points[i].tokens_per_second / static_cast<double>(last - first);
    }
    result.push_back(mean);
  }
  return result;
}

class TrainingRun {
 public:
  TrainingRun(const TrainSettings& settings, const Corpora& corpora)
      : settings_(settings),
        reporter_(settings.steps, settings.json),
        random_(settings.seed),
        translator_(new_translator(settings, corpora, random_)),
        folder_(settings.out),
        parameters_(parameters(translator_.model())),
        adam_(parameters_, AdamOptions{0.9, 0.98, 1e-9, settings.weight_decay}),
        trainer_(parameters_, adam_, settings.schedule, settings.clip) {
    for (const SentencePair& pair : corpora.train) pairs_.push_back(translator_.encode(pair));
    if (settings.resume) go_on();
    save_held_out(settings.out, corpora.held_out);
    log_.emplace(folder_.log(), trainer_.steps_done());
    reporter_.say(text(corpora.train.size(), " pairs to train on, ", corpora.dropped,
                       " left out as too long; ", translator_.source_vocabulary().size(), " and ",
                       translator_.target_vocabulary().size(), " words; ", count(parameters_),
                       " parameters; ", thread_count(), " threads; ", blas_description()));
  }

  // True when all steps are done, false when interrupted.
  bool train() {
    set_training(translator_.model(), true);
    const auto start = std::chrono::steady_clock::now();
    double tokens_seen = 0;
    const CrossEntropyOptions loss_options{Vocabulary::pad, settings_.label_smoothing};
    const Index steps_before = trainer_.steps_done();
    while (trainer_.steps_done() < settings_.steps && !interrupted) {
      const TranslationBatch batch = make_batch(pairs_, next_rows());
      const TrainingStep step =
          trainer_.step({[&] { return translator_.model().loss(batch, loss_options); }});
      tokens_seen += static_cast<double>(batch.source.ids.size() + batch.output.size());
      const double seconds = seconds_since(start);
      log_->add(step, tokens_seen / seconds, seconds);
      reporter_.show(
          {step.step, settings_.steps, recent_loss(), tokens_seen / seconds,
           seconds * static_cast<double>(step.step) / static_cast<double>(step.step - steps_before)});
      if (step.step % settings_.checkpoint_every == 0) save_state();
    }
    seconds_ = seconds_since(start);
    tokens_per_second_ = tokens_seen / std::max(seconds_, 1e-9);
    reporter_.end_line();
    save_state();
    return !interrupted;
  }

  void finish(const Corpora& corpora) {
    std::vector<Evaluation> evaluations;
    reporter_.say(text("trained in ", std::round(seconds_ * 10) / 10, " s, ", std::round(tokens_per_second_),
                       " tokens a second"));
    for (const HeldOutSet& set : corpora.held_out) {
      evaluations.push_back(evaluate(translator_, set));
      reporter_.say(evaluations.back().line());
    }
    reporter_.say("");
    for (std::size_t i = 0; i < std::min<std::size_t>(10, evaluations.front().sentences.size()); ++i) {
      const Judged& each = evaluations.front().sentences[i];
      reporter_.say(text(each.right() ? "  ✓ " : "  ✗ ", each.source, "\n    ", each.translation,
                         each.right() ? "" : "\n    (" + each.references.front() + ")"));
    }
    write_file_atomically(folder_.page(), run_page(description(evaluations)));
    reporter_.say(
        text("\nmodel  ", folder_.model(), "\nlog    ", folder_.log(), "\npage   ", folder_.page()));
    if (settings_.json) {
      Json figures = {{"steps", trainer_.steps_done()},
                      {"loss", recent_loss()},
                      {"training_seconds", seconds_},
                      {"tokens_per_second", tokens_per_second_},
                      {"parameters", count(parameters_)}};
      figures["held_out"] = to_json(evaluations);
      std::cout << figures.dump() << std::endl;
    }
  }

  void explain_interruption() const {
    std::cerr << "interrupted after step " << trainer_.steps_done() << " of " << settings_.steps
              << "; the checkpoint is " << folder_.checkpoint()
              << "\ngo on with the same command and --resume\n";
  }

 private:
  // The rows of the next batch: a function of the seed and the number of steps done, so that a resumed run
  // sees the same.
  const std::vector<Index>& next_rows() {
    while (order_.empty() || trainer_.steps_done() >= order_start_ + static_cast<Index>(order_.size())) {
      order_start_ += static_cast<Index>(order_.size());
      order_ =
          batches_of_like_length(pairs_, settings_.batch_tokens,
                                 Random(settings_.seed * 1000003 + static_cast<std::uint64_t>(epoch_++)));
    }
    return order_[static_cast<std::size_t>(trainer_.steps_done() - order_start_)];
  }

  double recent_loss() const {
    const auto& points = log_->points();
    const std::size_t first = points.size() > 50 ? points.size() - 50 : 0;
    double total = 0;
    for (std::size_t i = first; i < points.size(); ++i) total += points[i].loss;
    return total / static_cast<double>(std::max<std::size_t>(points.size() - first, 1));
  }

  TrainingState state() {
    return {parameters_, adam_, random_, trainer_.steps_done(), fingerprint(settings_)};
  }

  void save_state() {
    translator_.save(folder_.model());
    save_checkpoint(folder_.checkpoint(), state());
  }

  void go_on() {
    TrainingState stored = state();
    load_checkpoint(folder_.checkpoint(), stored);
    if (stored.note != fingerprint(settings_))
      throw std::invalid_argument("train --resume: the settings must be those of the checkpoint " +
                                  folder_.checkpoint());
    trainer_.set_steps_done(stored.steps);
  }

  Run description(const std::vector<Evaluation>& evaluations) const {
    Run run;
    run.title = "A transformer learns to translate";
    run.subtitle =
        text(count(parameters_), " parameters, ", trainer_.steps_done(), " steps, seed ", settings_.seed);
    char number[32];
    const auto figure = [&](const std::string& name, const char* format, double value) {
      std::snprintf(number, sizeof number, format, value);
      run.figures.emplace_back(name, number);
    };
    for (const Evaluation& each : evaluations) {
      figure(each.name + ": exactly right", "%.1f %%", 100 * each.exact);
      figure(each.name + ": BLEU", "%.1f", each.bleu);
    }
    figure("Training time", "%.0f s", seconds_);
    figure("Tokens a second", "%.0f", tokens_per_second_);
    run.training = thinned(log_->points(), 400);
    for (const Evaluation& each : evaluations) {
      for (std::size_t i = 0; i < std::min<std::size_t>(30, each.sentences.size()); ++i) {
        const Judged& judged = each.sentences[i];
        run.translations.push_back(
            {judged.source, judged.references.front(), judged.translation, judged.right()});
      }
      for (std::size_t i = 0; i < std::min<std::size_t>(4, each.sentences.size()); ++i)
        run.attention.push_back(attention_of(translator_, each.sentences[i].source));
    }
    const TransformerConfig& model = settings_.model;
    run.configuration = {{"width", text(model.width)},
                         {"heads", text(model.heads)},
                         {"feed-forward", text(model.feed_forward)},
                         {"encoder layers", text(model.encoder_layers)},
                         {"decoder layers", text(model.decoder_layers)},
                         {"dropout", text(model.dropout)},
                         {"batch tokens", text(settings_.batch_tokens)},
                         {"learning rate", text(settings_.schedule.peak)},
                         {"label smoothing", text(settings_.label_smoothing)},
                         {"threads", text(thread_count())},
                         {"BLAS", blas_description()}};
    return run;
  }

  const TrainSettings& settings_;
  Reporter reporter_;
  Random random_;
  Translator translator_;
  RunFolder folder_;  // after the translator: bad settings leave no folder behind
  std::vector<NamedParameter> parameters_;
  Adam adam_;
  Trainer trainer_;
  std::optional<Log> log_;
  std::vector<EncodedPair> pairs_;
  std::vector<std::vector<Index>> order_;  // the batches of this epoch
  Index order_start_ = 0;                  // the step that it began with
  Index epoch_ = 0;
  double seconds_ = 0, tokens_per_second_ = 0;
};

}  // namespace

int run_training(const TrainSettings& settings) {
  const Corpora corpora = load_corpora(settings);
  TrainingRun run(settings, corpora);
  std::signal(SIGINT, [](int) { interrupted = true; });
  const bool finished = run.train();
  std::signal(SIGINT, SIG_DFL);
  if (!finished) {
    run.explain_interruption();
    return 130;
  }
  run.finish(corpora);
  return 0;
}
