// classify: what is this document? And which of its words decided?
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <numeric>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <gradual/core/error.hpp>
#include <gradual/core/files/atomic_file.hpp>
#include <gradual/core/files/folder.hpp>
#include <gradual/core/threads.hpp>
#include <gradual/nn/inspect/number_text.hpp>
#include <gradual/nn/inspect/page/page.hpp>

#include "committee.hpp"

using namespace gradual;

namespace {

struct Settings {
  std::string train_file, test_file, out = "out/classify";
  TrainingOptions training;
  ModelSizes sizes;
  double held_out = 0.1;
  int threads = thread_count();
  bool json = false;
};

DocumentSplit load(const Settings& settings) {
  const Random random(settings.training.seed + 1000003);
  if (settings.train_file.empty()) {
    if (!settings.test_file.empty())
      throw std::invalid_argument(
          "classify: --test needs --trec: generated documents are tested on generated ones");
    const std::vector<Document> reviews = generate_reviews(1500, random);
    return {{reviews.begin(), reviews.begin() + 1000}, {reviews.begin() + 1000, reviews.end()}};
  }
  const std::vector<Document> documents = read_documents(settings.train_file);
  if (settings.test_file.empty()) return split_documents(documents, settings.held_out, random);
  return {documents, read_documents(settings.test_file)};
}

struct Score {
  Index right = 0, all = 0;
  double percent() const {
    return 100.0 * static_cast<double>(right) / static_cast<double>(std::max<Index>(all, 1));
  }
};

struct Report {
  Score total;
  std::vector<Score> of_label;  // by the right label
};

Report score(const std::vector<Document>& documents, const std::vector<Verdict>& verdicts,
             const Features& features) {
  Report report{{}, std::vector<Score>(features.labels().size())};
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const bool right = documents[i].label == verdicts[i].label;
    for (Score* each :
         {&report.total,
          &report.of_label[static_cast<std::size_t>(features.label_number(documents[i].label))]}) {
      ++each->all;
      each->right += right ? 1 : 0;
    }
  }
  return report;
}

// The words with the largest weights, the largest first.
std::string heaviest_words(const Document& document, const Verdict& verdict, std::size_t most) {
  std::vector<std::size_t> order(document.words.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return verdict.word_weights[a] > verdict.word_weights[b];
  });
  std::string line;
  for (std::size_t i = 0; i < std::min(most, order.size()); ++i)
    line += text(i == 0 ? "" : ", ", document.words[order[i]], " ",
                 fixed_text(verdict.word_weights[order[i]], 2));
  return line;
}

std::string joined(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
  return line;
}

std::string page(const DocumentSplit& split, const std::vector<Verdict>& verdicts, const Report& report,
                 const Features& features, const Settings& settings) {
  Html html;
  std::vector<std::vector<std::string>> rows;
  for (std::size_t c = 0; c < features.labels().size(); ++c)
    rows.push_back({features.labels()[c], text(report.of_label[c].all),
                    fixed_text(report.of_label[c].percent(), 1) + " %"});
  html.figures(
      {{"right", fixed_text(report.total.percent(), 1) + " %"}, {"documents", text(report.total.all)}});
  html.table({"Label", "Documents", "Right"}, rows).heading(2, "Which words decided");
  html.paragraph(
      "Each label has a query of its own. Words are shaded by the weight that the query of the label that "
      "was "
      "chosen gives them, with their neighbours on either side. A weight says what was listened to, not what "
      "was made of it.");
  for (const bool right : {true, false}) {
    html.heading(3, right ? "Right" : "Wrong");
    int shown = 0;
    for (std::size_t i = 0; i < split.held_out.size() && shown < 20; ++i) {
      if ((split.held_out[i].label == verdicts[i].label) != right) continue;
      ++shown;
      html.weighted_words(text(verdicts[i].label, right ? "" : " instead of " + split.held_out[i].label, ", ",
                               fixed_text(100 * verdicts[i].probability, 0), " %"),
                          split.held_out[i].words, verdicts[i].word_weights);
    }
    if (shown == 0) html.paragraph("None.");
  }
  return html_page("What is this document?",
                   text(settings.training.models, settings.training.models == 1 ? " model, " : " models, ",
                        settings.training.epochs, " epochs, seed ", settings.training.seed),
                   html);
}

void print_report(const DocumentSplit& split, const std::vector<Verdict>& verdicts, const Report& report,
                  const Features& features) {
  std::printf("right on %lld documents that were not trained on: %.1f %%\n",
              static_cast<long long>(report.total.all), report.total.percent());
  for (std::size_t c = 0; c < features.labels().size(); ++c)
    std::printf("  %-12s%6.1f %% of %lld\n", features.labels()[c].c_str(), report.of_label[c].percent(),
                static_cast<long long>(report.of_label[c].all));
  std::printf("\nwhich words decided:\n");
  for (std::size_t i = 0; i < std::min<std::size_t>(6, verdicts.size()); ++i)
    std::printf("  %s %s\n    %s, %.0f %%: %s\n", verdicts[i].label == split.held_out[i].label ? "✓" : "✗",
                joined(split.held_out[i].words).c_str(), verdicts[i].label.c_str(),
                100 * verdicts[i].probability, heaviest_words(split.held_out[i], verdicts[i], 3).c_str());
}

void run(const Settings& settings) {
  set_thread_count(settings.threads);
  const DocumentSplit split = load(settings);
  const std::vector<std::string> known = labels_of(split.train);
  for (const Document& document : split.held_out)
    if (!std::binary_search(known.begin(), known.end(), document.label))
      throw std::invalid_argument("classify: a label to test on must occur in training: got \"" +
                                  document.label + "\", known are " + joined(known));
  const auto start = std::chrono::steady_clock::now();
  const Committee committee(
      split.train, settings.sizes, settings.training, [&](Index model, Index epoch, double loss) {
        if (settings.json || epoch != settings.training.epochs) return;
        std::printf("model %lld of %lld: loss %.3f after %lld epochs\n", static_cast<long long>(model + 1),
                    static_cast<long long>(settings.training.models), loss, static_cast<long long>(epoch));
        std::fflush(stdout);
      });
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const std::vector<Verdict> verdicts = committee.judge(split.held_out);
  const Report report = score(split.held_out, verdicts, committee.features());
  make_folder(settings.out);
  const std::string file = settings.out + "/page.html";
  write_file_atomically(file, page(split, verdicts, report, committee.features(), settings));
  if (settings.json) {
    std::cout << nlohmann::ordered_json{{"accuracy", report.total.percent()},
                                        {"documents", report.total.all},
                                        {"trained_on", split.train.size()},
                                        {"parameters", committee.parameter_count()},
                                        {"seconds", seconds}}
                     .dump()
              << std::endl;
    return;
  }
  std::printf("trained on %zu documents in %.1f s, %lld parameters\n\n", split.train.size(), seconds,
              static_cast<long long>(committee.parameter_count()));
  print_report(split, verdicts, report, committee.features());
  std::printf("\npage  %s\n", file.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app(
      "Trains classifiers of short documents, and shows which words decided. Without a file, on generated "
      "reviews.");
  const auto positive = [&](const char* name, auto& value, const char* description) {
    return app.add_option(name, value, description)->check(CLI::PositiveNumber)->capture_default_str();
  };
  app.add_option("--trec", settings.train_file,
                 "train on a file of lines `LABEL:detail text`, such as the TREC questions");
  app.add_option("--test", settings.test_file,
                 "test on another such file; without it, on a part that is held out");
  app.add_option("--held-out", settings.held_out, "that part")
      ->check(CLI::Range(0.01, 0.9))
      ->capture_default_str();
  CLI::Option* models = positive("--models", settings.training.models,
                                 "models that answer together; 5 with --trec unless said otherwise");
  positive("--epochs", settings.training.epochs, "times that each document is seen");
  positive("--batch", settings.training.batch, "documents in a step");
  positive("--min-count", settings.training.min_count, "words seen less often have only their pieces");
  positive("--width", settings.sizes.width, "numbers that stand for a word");
  positive("--hidden", settings.sizes.hidden, "numbers that stand for a word with its neighbours");
  positive("--learning-rate", settings.training.learning_rate, "its peak");
  app.add_option("--dropout", settings.sizes.dropout, "share of numbers that training zeroes")
      ->check(CLI::Range(0.0, 0.99))
      ->capture_default_str();
  app.add_option("--word-dropout", settings.sizes.word_dropout, "share of words that training makes unknown")
      ->check(CLI::Range(0.0, 0.99))
      ->capture_default_str();
  app.add_option("--weight-decay", settings.training.weight_decay, "of AdamW")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--seed", settings.training.seed, "of weights, order and split")->capture_default_str();
  positive("--threads", settings.threads, "threads");
  app.add_option("--out", settings.out, "folder for the page")->capture_default_str();
  app.add_flag("--json", settings.json, "print one JSON line");
  CLI11_PARSE(app, argc, argv);
  if (!settings.train_file.empty() && models->count() == 0) settings.training.models = 5;
  try {
    run(settings);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "classify: " << error.what() << "\n";
    return 1;
  }
}
