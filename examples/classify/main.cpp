// classify: what is this document? And to which of its words does attention give most weight?
#include <algorithm>
#include <cmath>
#include <cstdio>

#include <gradual/core/error.hpp>
#include <gradual/core/files/folder.hpp>
#include <gradual/nn/data/reviews.hpp>
#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/json.hpp>

#include "../page_program.hpp"
#include "../terminal/reporter.hpp"
#include "findings.hpp"
#include "page.hpp"
#include "report.hpp"

using namespace gradual;

namespace {

struct Settings : PageSettings {
  std::string train_file, test_file;
  TrainingOptions training;
  ModelSizes sizes;
  double held_out = 0.1;
  Index folds = 0;

  std::uint64_t split_seed() const { return seed + 1000003; }
};

constexpr Index to_learn = 2000, to_test = 500;  // generated reviews

Documents documents_of(const Settings& settings) {
  return settings.train_file.empty() ? draw_reviews(to_learn + to_test, Random(settings.split_seed()))
                                     : read_labelled_texts(settings.train_file);
}

DocumentSplit load(const Settings& settings) {
  const Documents documents = documents_of(settings);
  if (settings.train_file.empty())
    return {{documents.begin(), documents.begin() + to_learn},
            {documents.begin() + to_learn, documents.end()}};
  if (settings.test_file.empty()) {
    const auto parts = static_cast<Index>(std::lround(1 / settings.held_out));
    return keep_part(documents, parts_of(documents, parts, settings.split_seed()), 0);
  }
  const Documents test = read_labelled_texts(settings.test_file);
  const std::vector<std::string> known = labels_of(documents);
  for (const LabelledText& each : test)
    if (!std::binary_search(known.begin(), known.end(), each.label))
      throw FileError::at_line(settings.test_file, each.line,
                               "a label to test on must occur in training: got \"" + each.label +
                                   "\", known are " + list_text(known));
  return {documents, test};
}

void print_json(const Json& figures) { std::cout << json_text(figures) << std::endl; }

// A bar for each model of those that learn from a part, whose name is empty where there is one part.
Watch bar_of(const Settings& settings, const std::string& part = "") {
  return [&settings, part](Trainer& trainer, Index steps, Index model) {
    const Index models = settings.training.models;
    const std::string which = models == 1 ? "" : text("model ", model + 1, " of ", models);
    show_progress(trainer, steps, part + (part.empty() || which.empty() ? "" : ", ") + which, settings.json);
  };
}

void test_once(const Settings& settings) {
  make_folder(settings.out);
  const DocumentSplit documents = load(settings);
  const bool of_reviews = settings.train_file.empty();  // there the order of words decides
  say_task(settings, task_text(of_reviews, all_tried(of_reviews, documents.held_out)));
  const Trial trial = try_out(documents, settings.sizes, settings.training, bar_of(settings),
                              of_reviews ? bar_of(settings, "without places") : Watch());
  if (settings.json)
    print_json({{"accuracy", trial.right.both},
                {"attention", trial.right.attention},
                {"ngrams", trial.right.ngrams},
                {"documents", trial.documents.held_out.size()},
                {"trained_on", trial.documents.train.size()},
                {"parameters", trial.attention_cost.parameters},
                {"cpu_seconds", trial.cpu_seconds()}});
  else
    print_trial(trial, of_reviews, settings.training);
  leave_page(settings, trial_page(trial, of_reviews, settings.training));
}

// Each document is held out once.
void cross_validate(const Settings& settings) {
  const Documents documents = documents_of(settings);
  const std::vector<Index> parts = parts_of(documents, settings.folds, settings.split_seed());
  const bool of_reviews = settings.train_file.empty();
  constexpr bool with_places_left_out = false;  // folds train no such model
  say_task(settings, task_text(of_reviews, classifiers(with_places_left_out)));
  std::vector<Accuracies> trials;
  double cpu_seconds = 0;
  for (Index fold = 0; fold < settings.folds; ++fold) {
    const Trial trial = try_out(keep_part(documents, parts, fold), settings.sizes, settings.training,
                                bar_of(settings, text("fold ", fold + 1, " of ", settings.folds)));
    trials.push_back(trial.right);
    cpu_seconds += trial.cpu_seconds();
    if (settings.json) continue;
    std::printf(
        "fold %lld of %lld, %zu documents, CPU time %.1f s: attention %.1f %%, n-grams %.1f %%, both "
        "together %.1f %%\n",
        static_cast<long long>(fold + 1), static_cast<long long>(settings.folds),
        trial.documents.held_out.size(), trial.cpu_seconds(), trial.right.attention, trial.right.ngrams,
        trial.right.both);
    std::fflush(stdout);
  }
  const Summary summary = summary_of(trials);
  if (!settings.json) return print_summary(summary);
  const auto figures = [&](double MeanAndSpread::*which) {
    return Json{{"accuracy", summary.both.*which},
                {"attention", summary.attention.*which},
                {"ngrams", summary.ngrams.*which}};
  };
  Json all = figures(&MeanAndSpread::mean);
  all["deviation"] = figures(&MeanAndSpread::spread);
  all["documents"] = documents.size();
  all["folds"] = settings.folds;
  all["cpu_seconds"] = cpu_seconds;
  print_json(all);
}

void run(Settings& settings) {
  if (settings.train_file.empty() && !settings.test_file.empty())
    throw std::invalid_argument(
        "classify: --test needs --trec: generated documents are tested on generated ones");
  settings.training.seed = settings.seed;
  settings.folds > 0 ? cross_validate(settings) : test_once(settings);
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  TrainingOptions& training = settings.training;
  ModelSizes& sizes = settings.sizes;
  PageProgram program("classify",
                      "Trains classifiers of short documents, and shows which words attention gives most "
                      "weight to. Without a "
                      "file, on generated reviews.",
                      settings);
  const Options& add = program.options;
  CLI::Option* trec = add.file("trec", settings.train_file,
                               "train on a file of lines `LABEL:detail text`, such as the TREC questions");
  CLI::Option* test = add.file("test", settings.test_file,
                               "test on another such file; without it, on a part that is held out");
  add.between("held-out", settings.held_out, 0.01, 0.5, "that part, rounded to one of so many equal ones")
      ->needs(trec)
      ->excludes(test);
  add.between<Index>("folds", settings.folds, 2, 1000,
                     "hold out each of so many parts in turn, and print the mean; without it, one part")
      ->default_str("")
      ->excludes(test);
  CLI::Option* models = add.positive("models", training.models,
                                     "models that answer together; 5 with --trec unless said otherwise");
  add.positive("epochs", training.epochs, "times that each document is seen");
  add.positive("batch", training.batch, "documents in a step");
  add.positive("min-count", training.min_count, "words seen less often have only their pieces");
  add.positive("width", sizes.width, "numbers that stand for a word");
  add.positive("heads", sizes.heads, "heads of the encoder layer");
  add.positive("feed-forward", sizes.feed_forward, "inner width of the encoder layer");
  add.positive("learning-rate", training.learning_rate, "its peak");
  add.between("dropout", sizes.dropout, 0.0, 0.99, "share of numbers that training zeroes");
  add.not_negative("hide-words", training.hide_words,
                   "r: training hides a word that it saw n times with probability r / (r + n)");
  add.not_negative("weight-decay", training.weight_decay, "of AdamW");
  return program.run(argc, argv, "of weights, order and split", [&] {
    if (!settings.train_file.empty() && models->count() == 0) training.models = 5;
    run(settings);
  });
}
