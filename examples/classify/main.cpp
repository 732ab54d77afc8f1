// classify: what is this document? And which of its words decided?
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <gradual/core/error.hpp>
#include <gradual/core/files/atomic_file.hpp>
#include <gradual/core/files/folder.hpp>
#include <gradual/core/threads.hpp>

#include "../command_line.hpp"
#include "report.hpp"

using namespace gradual;

namespace {

struct Settings {
  std::string train_file, test_file, out = "out/classify";
  TrainingOptions training;
  ModelSizes sizes;
  double held_out = 0.1;
  Index folds = 0;
  int threads = thread_count();
  bool json = false;
};

std::uint64_t split_seed(const Settings& settings) { return settings.training.seed + 1000003; }

DocumentSplit load(const Settings& settings) {
  if (settings.train_file.empty()) {
    const Documents reviews = generate_reviews(1500, Random(split_seed(settings)));
    return {{reviews.begin(), reviews.begin() + 1000}, {reviews.begin() + 1000, reviews.end()}};
  }
  const Documents documents = read_labelled_texts(settings.train_file);
  if (settings.test_file.empty()) {
    const auto parts = static_cast<Index>(std::lround(1 / settings.held_out));
    return keep_part(documents, parts_of(documents, parts, split_seed(settings)), 0);
  }
  const Documents test = read_labelled_texts(settings.test_file);
  const std::vector<std::string> known = labels_of(documents);
  std::string list;
  for (const std::string& each : known) list += (list.empty() ? "" : " ") + each;
  for (const LabelledText& each : test)
    if (!std::binary_search(known.begin(), known.end(), each.label))
      throw FileError::at_line(
          settings.test_file, each.line,
          "a label to test on must occur in training: got \"" + each.label + "\", known are " + list);
  return {documents, test};
}

void print_json(const nlohmann::ordered_json& figures) { std::cout << figures.dump() << std::endl; }

void test_once(const Settings& settings) {
  const auto progress = [&](Index model, Index epoch, double loss) {
    if (settings.json || epoch != settings.training.epochs) return;
    std::printf("model %lld of %lld: loss %.3f after %lld epochs\n", static_cast<long long>(model + 1),
                static_cast<long long>(settings.training.models), loss, static_cast<long long>(epoch));
    std::fflush(stdout);
  };
  const Trial trial = try_out(load(settings), settings.sizes, settings.training, progress);
  const TrainingOptions& options = settings.training;
  make_folder(settings.out);
  const std::string file = settings.out + "/page.html";
  write_file_atomically(file,
                        trial_page(trial, text(options.models, options.models == 1 ? " model, " : " models, ",
                                               options.epochs, " epochs, seed ", options.seed)));
  if (settings.json)
    return print_json({{"accuracy", trial.right.both},
                       {"attention", trial.right.attention},
                       {"ngrams", trial.right.ngrams},
                       {"documents", trial.documents.held_out.size()},
                       {"trained_on", trial.documents.train.size()},
                       {"parameters", trial.parameters},
                       {"seconds", trial.seconds}});
  print_trial(trial);
  std::printf("\npage  %s\n", file.c_str());
}

// Each document is held out once.
void cross_validate(const Settings& settings) {
  const Documents documents = settings.train_file.empty()
                                  ? generate_reviews(1500, Random(split_seed(settings)))
                                  : read_labelled_texts(settings.train_file);
  const std::vector<Index> parts = parts_of(documents, settings.folds, split_seed(settings));
  std::vector<Accuracies> trials;
  double seconds = 0;
  for (Index fold = 0; fold < settings.folds; ++fold) {
    const Trial trial = try_out(keep_part(documents, parts, fold), settings.sizes, settings.training,
                                [](Index, Index, double) {});
    trials.push_back(trial.right);
    seconds += trial.seconds;
    if (settings.json) continue;
    std::printf(
        "fold %lld of %lld, %zu documents in %.1f s: attention %.1f %%, n-grams %.1f %%, both %.1f %%\n",
        static_cast<long long>(fold + 1), static_cast<long long>(settings.folds),
        trial.documents.held_out.size(), trial.seconds, trial.right.attention, trial.right.ngrams,
        trial.right.both);
    std::fflush(stdout);
  }
  const MeanAndSpread summary = summary_of(trials);
  if (!settings.json) return print_summary(summary);
  const auto figures = [](const Accuracies& each) {
    return nlohmann::ordered_json{
        {"accuracy", each.both}, {"attention", each.attention}, {"ngrams", each.ngrams}};
  };
  nlohmann::ordered_json all = figures(summary.mean);
  all["deviation"] = figures(summary.spread);
  all["documents"] = documents.size();
  all["folds"] = settings.folds;
  all["seconds"] = seconds;
  print_json(all);
}

void run(const Settings& settings) {
  if (settings.train_file.empty() && !settings.test_file.empty())
    throw std::invalid_argument(
        "classify: --test needs --trec: generated documents are tested on generated ones");
  set_thread_count(settings.threads);
  settings.folds > 0 ? cross_validate(settings) : test_once(settings);
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app(
      "Trains classifiers of short documents, and shows which words decided. Without a file, on generated "
      "reviews.");
  const auto positive = [&](const char* name, auto& value, const char* description) {
    return app.add_option(name, value, description)->transform(above_zero(value))->capture_default_str();
  };
  app.add_option("--trec", settings.train_file,
                 "train on a file of lines `LABEL:detail text`, such as the TREC questions");
  CLI::Option* test = app.add_option("--test", settings.test_file,
                                     "test on another such file; without it, on a part that is held out");
  app.add_option("--held-out", settings.held_out, "that part, rounded to one of so many equal ones")
      ->transform(between(0.01, 0.5))
      ->capture_default_str();
  app.add_option("--folds", settings.folds, "hold out each of so many parts in turn, and print the mean")
      ->transform(between(2, 1000))
      ->excludes(test);
  CLI::Option* models = positive("--models", settings.training.models,
                                 "models that answer together; 5 with --trec unless said otherwise");
  positive("--epochs", settings.training.epochs, "times that each document is seen");
  positive("--batch", settings.training.batch, "documents in a step");
  positive("--min-count", settings.training.min_count, "words seen less often have only their pieces");
  positive("--width", settings.sizes.width, "numbers that stand for a word");
  positive("--heads", settings.sizes.heads, "heads of the encoder layer");
  positive("--feed-forward", settings.sizes.feed_forward, "inner width of the encoder layer");
  positive("--learning-rate", settings.training.learning_rate, "its peak");
  app.add_option("--dropout", settings.sizes.dropout, "share of numbers that training zeroes")
      ->transform(between(0.0, 0.99))
      ->capture_default_str();
  app.add_option("--hide-words", settings.training.hide_words,
                 "r: training hides a word that it saw n times with probability r / (r + n)")
      ->transform(not_below_zero(settings.training.hide_words))
      ->capture_default_str();
  app.add_option("--weight-decay", settings.training.weight_decay, "of AdamW")
      ->transform(not_below_zero(settings.training.weight_decay))
      ->capture_default_str();
  add_seed(app, settings.training.seed, "of weights, order and split");
  positive("--threads", settings.threads, "threads");
  app.add_option("--out", settings.out, "folder for the page")->capture_default_str();
  app.add_flag("--json", settings.json, "print one JSON line");
  return run_program("classify", app, [&] {
    app.parse(argc, argv);
    if (!settings.train_file.empty() && models->count() == 0) settings.training.models = 5;
    run(settings);
  });
}
