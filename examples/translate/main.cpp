// translate: train a transformer that was written from scratch, and use it.
#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <gradual/core/error.hpp>
#include <gradual/core/files/atomic_file.hpp>
#include <gradual/nn/inspect/page/run_page.hpp>
#include <gradual/nn/text/toy_corpus.hpp>
#include <gradual/nn/translation/attention_maps.hpp>
#include <gradual/nn/translation/translator.hpp>

#include "config_file.hpp"
#include "corpora.hpp"
#include "evaluation.hpp"
#include "train.hpp"

using namespace gradual;

namespace {

struct DataSettings {
  std::string out = "toy.tsv";
  std::uint64_t seed = 1;
};

struct UseSettings {
  std::string model = "out/toy/model.safetensors", input, tsv, out = "attention.html", sentence;
  bool json = false;
  TestSettings test;
};

void write_toy_corpus(const DataSettings& settings) {
  const ToyCorpus toy = make_toy_corpus(settings.seed);
  write_tsv(settings.out, {toy.train.begin(), toy.train.end()});
  std::cout << toy.train.size() << " pairs in " << settings.out << "\n";
}

// Translates line by line: a file, or standard input, with a prompt when a person sits there.
void translate_lines(const UseSettings& settings) {
  const Translator translator = Translator::load(settings.model);
  std::ifstream file;
  if (!settings.input.empty()) {
    file.open(settings.input);
    if (!file) throw FileError(settings.input, "cannot be read");
  }
  std::istream& in = settings.input.empty() ? std::cin : file;
  const bool prompt = settings.input.empty() && isatty(STDIN_FILENO);
  std::string line;
  while ((prompt ? std::cout << "> " << std::flush : std::cout), std::getline(in, line)) {
    const std::string translation = line.find_first_not_of(" \t\r") == std::string::npos
                                        ? ""
                                        : translator.translate({line}, settings.test.search).front();
    if (settings.json)
      std::cout << nlohmann::ordered_json{{"source", line}, {"translation", translation}}.dump() << std::endl;
    else
      std::cout << translation << std::endl;
  }
  if (prompt) std::cout << "\n";
}

void evaluate_model(const UseSettings& settings) {
  const Translator translator = Translator::load(settings.model);
  const auto slash = settings.model.find_last_of('/');
  const std::string folder = slash == std::string::npos ? "." : settings.model.substr(0, slash);
  const std::vector<HeldOutSet> sets = settings.tsv.empty()
                                           ? load_held_out(folder)
                                           : std::vector<HeldOutSet>{{settings.tsv, read_tsv(settings.tsv)}};
  std::vector<Evaluation> evaluations;
  for (const HeldOutSet& set : sets) {
    evaluations.push_back(evaluate(translator, set, settings.test));
    if (!settings.json) std::cout << evaluations.back().line() << std::endl;
  }
  if (settings.json) std::cout << to_json(evaluations).dump() << std::endl;
}

void draw_attention(const UseSettings& settings) {
  const Translator translator = Translator::load(settings.model);
  Run run;
  run.attention = {attention_of(translator, settings.sentence)};
  run.title = "Where a translator looks";
  run.subtitle = settings.sentence + " → " + run.attention.front().translation;
  write_file_atomically(settings.out, run_page(run));
  std::cout << run.attention.front().translation << "\n" << settings.out << "\n";
}

int run(int argc, char** argv) {
  CLI::App app{
      "Trains a transformer to translate, and translates with it. The embedded English–French corpus needs "
      "no download."};
  app.require_subcommand(1);
  TrainSettings train_settings;
  DataSettings data_settings;
  UseSettings use;
  use.test.search.beam_size = 1;

  CLI::App* data = app.add_subcommand("data", "write the embedded corpus as lines `source TAB target`");
  data->add_option("--out", data_settings.out, "file to write")->capture_default_str();
  data->add_option("--seed", data_settings.seed, "another seed gives other sentences")->capture_default_str();

  CLI::App* train =
      app.add_subcommand("train", "train a model, test it, and leave model, log and page in a folder");
  TrainOptions train_options(*train, train_settings);

  const auto model_option = [&](CLI::App* command) {
    command->add_option("--model", use.model, "a trained model")->capture_default_str();
  };
  CLI::App* translate =
      app.add_subcommand("translate", "translate a file, standard input, or what is typed, line by line");
  model_option(translate);
  translate->add_option("file", use.input, "text to translate; without it, standard input");
  translate->add_flag("--json", use.json, "print a JSON line for each sentence");
  add_search_options(*translate, use.test.search);

  CLI::App* evaluation =
      app.add_subcommand("evaluate", "translate held-out sentences and say how many are right");
  model_option(evaluation);
  evaluation->add_option("--tsv", use.tsv,
                         "lines `source TAB target`; without it, the held-out sentences beside the model");
  evaluation->add_flag("--json", use.json, "print one JSON line of figures");
  add_search_options(*evaluation, use.test.search);
  add_bleu_options(*evaluation, use.test.bleu);

  CLI::App* attention = app.add_subcommand("attention", "draw what every head in every layer attends to");
  model_option(attention);
  attention->add_option("sentence", use.sentence, "the sentence to translate")->required();
  attention->add_option("--out", use.out, "the page to write")->capture_default_str();

  std::vector<std::string> arguments(argv + 1, argv + argc);
  try {
    if (!arguments.empty() && arguments.front() == "train") {
      arguments = with_config_and_preset(*train, {arguments.begin() + 1, arguments.end()});
      arguments.insert(arguments.begin(), "train");
    }
    std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
    app.parse(arguments);
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  }
  if (*data) write_toy_corpus(data_settings);
  if (*translate) translate_lines(use);
  if (*evaluation) evaluate_model(use);
  if (*attention) draw_attention(use);
  if (*train) {
    train_options.finish();
    return run_training(train_settings);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "translate: " << error.what() << "\n";
    return 1;
  }
}
