// translate: train a transformer that was written from scratch, and use it.
#include <algorithm>
#include <exception>
#include <initializer_list>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <gradual/core/error.hpp>
#include <gradual/core/files/atomic_file.hpp>
#include <gradual/core/threads.hpp>
#include <gradual/nn/data/toy_corpus.hpp>
#include <gradual/nn/drawing/readable_text.hpp>
#include <gradual/nn/inspect/attention_maps.hpp>
#include <gradual/nn/inspect/explain.hpp>
#include <gradual/nn/inspect/run_description.hpp>
#include <gradual/nn/interchange/load_translator.hpp>
#include <gradual/nn/training/parallel/team.hpp>
#include <gradual/nn/translation/evaluation.hpp>
#include <gradual/nn/translation/run/training.hpp>
#include <gradual/nn/translation/translated_lines.hpp>

#include "../command_line.hpp"
#include "../terminal/console.hpp"
#include "budget.hpp"
#include "config_file.hpp"
#include "diagnosis/look_inside.hpp"
#include "diagnosis/time_travel.hpp"
#include "doubts.hpp"
#include "known_text.hpp"
#include "serving/serve.hpp"
#include "shortlist.hpp"
#include "subcommand.hpp"
#include "train.hpp"
#include "translate_text.hpp"

using namespace gradual;

namespace {

struct DataSettings {
  std::string out = "toy.tsv";
  std::uint64_t seed = 1;
};

struct UseSettings {
  std::string model = "out/toy/model.safetensors", tsv, out = "attention.html", sentence, reverse_model;
  bool json = false, all_bleu = false;
  TestSettings test;
};

void write_toy_corpus(const DataSettings& settings) {
  const ToyCorpus toy = make_toy_corpus(settings.seed);
  write_tsv(settings.out, toy.train);
  std::cout << toy.train.size() << " pairs in " << settings.out << "\n";
}

// How many translations of a sentence are wanted, and whether they are drawn by chance.
void add_choice_options(CLI::App& command, TranslateSettings& s) {
  Options(command, search_group)
      .positive("n-best", s.search.n_best, "translations to show for each sentence, with their scores");
  const Options add(command, "Sampling");
  CLI::Option* sample = add.flag("sample", s.sampling, "draw words by chance instead of searching");
  for (const char* of_searches : {"--beam", "--length-penalty", "--coverage-penalty", "--shortlist",
                                  "--reverse-model", "--reverse-weight"})
    sample->excludes(command.get_option(of_searches));
  add.positive("temperature", s.chance.temperature, "of sampling: below 1 the likely get likelier")
      ->needs(sample);
  add.not_negative("top-k", s.chance.top_k, "sample from so many of the likeliest words; 0: all")
      ->needs(sample);
  add("top-p", s.chance.top_p, "sample from the fewest words that have this probability together")
      ->transform(number_check<double>(
          "above 0 and up to 1", [](double value) { return value > 0 && value <= 1; }, "in (0 - 1]"))
      ->needs(sample);
  add.not_negative("seed", s.seed, "of --sample and --mbr");
}

// What needs --mbr needs its samples: --mbr 0 draws none.
void require_samples(const CLI::App& command, const MinimumRiskOptions& minimum_risk) {
  if (minimum_risk.samples > 0) return;
  const CLI::Option* const mbr = command.get_option("--mbr");
  for (const CLI::Option* each : command.get_options())
    for (const CLI::Option* needed : each->get_needs())
      if (needed == mbr && each->count() > 0)
        throw CLI::RequiresError(each->get_name(), "--mbr of at least 1");
}

void evaluate_model(const Translator& translator, const UseSettings& settings) {
  const std::vector<HeldOutSet> sets = test_sets(settings.model, settings.tsv, settings.reverse_model);
  std::vector<Evaluation> evaluations;
  ResultTable scores = score_table();
  scores.within(static_cast<std::size_t>(output_columns()));
  if (!settings.json) std::cout << scores.head() << std::flush;
  for (const HeldOutSet& set : sets) {
    evaluations.push_back(evaluate(translator, set, settings.test));
    if (!settings.json) std::cout << scores.add(evaluations.back().row()).last_line() << std::flush;
    if (settings.all_bleu && !settings.json) std::cout << bleu_table(evaluations.back());
  }
  if (settings.json) std::cout << figures(evaluations, settings.all_bleu) << std::endl;
}

void draw_attention(const Translator& translator, const UseSettings& settings) {
  const std::string sentence = clean_sentence(settings.sentence);
  if (translator.source().encode(sentence).empty())
    throw std::invalid_argument("attention: the sentence must have words: got \"" + settings.sentence + "\"");
  const BeamOptions search = search_to_look_at(settings.test.search);
  Run run;
  run.attention = {attention_of(translator, sentence, search)};
  run.searches = {explain(translator, sentence, search)};
  if (settings.json) {
    std::cout << "{\"search\":" << explanation_json(run.searches.front(), true)
              << ",\"attention\":" << attention_json(run.attention.front()) << "}\n";
    return;
  }
  const std::string& translation = run.attention.front().translation;
  std::vector<std::string> notes{
      doubt_about(sentence, translation, LearntFrom(sets_to_try(settings.model))).words};
  if (const std::string other = translator.translate({sentence}, settings.test.search).front();
      other != translation)
    notes.push_back(text(settings.test.search.beam_size == 1 ? "greedy search" : "the search",
                         " that translates elsewhere writes ",
                         other.size() > 200 ? "another one" : "\"" + other + "\"", "; here ",
                         search.beam_size,
                         " translations are followed at a time, so that there is a search to see"));
  notes.erase(std::remove(notes.begin(), notes.end(), ""), notes.end());
  for (const std::string& note : notes) run.searches.front().add_note(note);
  run.title = "Where a translator looks";
  run.subtitle = isolated(sentence) + " → " + isolated(translation);
  write_file_atomically(settings.out, run_page(run));
  std::cout << translation << "\npage  " << settings.out << "\n";
  const std::string& known_as = run.searches.front().known_as;
  if (const std::vector<std::string>& unknown = run.searches.front().unknown; !unknown.empty())
    std::cerr << "the model does not know " << quoted_list(unknown)
              << ": what it writes for that is a guess\n"
              << (known_as.empty() ? "" : "try: " + known_as + "\n") << "it knows "
              << known_words(translator.source(), 30) << "\n";
  for (const std::string& note : notes) std::cerr << note << "\n";
  if (const std::size_t shown = words_in_maps(run.attention.front());
      translator.source().encode(sentence).size() >= shown)
    std::cerr << "the sentence is long: the page shows its beginning; --json prints all there is\n";
}

// `parse(lines)` reads the options anew, with the lines of a plan behind them; `typed` are those of the
// command line.
template <class Parse>
int plan_and_train(const TrainOptions& options, const std::vector<std::string>& typed, Parse parse,
                   const Team& team) {
  TrainSettings settings = options.settings();
  if (settings.threads > 0) set_thread_count(std::min(settings.threads, hardware_threads()));
  const double seconds = settings.budget.empty() ? 0 : seconds_of(settings.budget);
  const Corpora corpora = load_corpora(settings);
  if (seconds > 0) {
    std::string planned;
    if (team.leads()) {
      const Plan plan = plan_for(*corpora.text, plan_options(settings, seconds));
      planned = settings_of(plan);
      if (!settings.json) std::cout << expectation_of(plan, seconds) << std::endl;
    }
    team.spread(planned);
    parse(planned);
    settings = options.settings();
  }
  if (team.leads())
    for (const std::string& sentence : idle_options(typed, settings.used)) std::cerr << sentence << std::endl;
  return run_training(settings, corpora, team);
}

// The same with all processes that were started together.
template <class Parse>
int train_together(const TrainOptions& options, const std::vector<std::string>& typed, Parse parse) {
  Communicator communicator;
  try {
    return plan_and_train(options, typed, parse, Team(communicator));
  } catch (const std::exception& error) {
    if (communicator.size() == 1) throw;
    std::cerr << "translate: process " << communicator.rank() << ": " << error.what() << std::endl;
    communicator.abort();
    throw;
  }
}

Subcommand data_command(CLI::App& app) {
  const auto settings = std::make_shared<DataSettings>();
  CLI::App* data = app.add_subcommand("data", "write the embedded corpus as lines `source TAB target`");
  const Options options(*data);
  options.file("out", settings->out, "file to write");
  options.not_negative("seed", settings->seed, "another seed gives other sentences");
  return {data, [=] { write_toy_corpus(*settings); }, "data --out toy.tsv"};
}

Subcommand translate_command(CLI::App& app) {
  const auto settings = std::make_shared<TranslateSettings>();
  CLI::App* translate =
      app.add_subcommand("translate", "translate a file, standard input, or what is typed, line by line");
  const Options options = with_model(*translate, settings->model);
  translate->add_option("file,--input", settings->input, "text to translate; without it, standard input")
      ->type_name("FILE")
      ->check(not_empty());
  options.file("output", settings->output, "file for the result: a run that was ended goes on where it was");
  options.flag("json", settings->json, "print a JSON line for each sentence");
  add_search_options(*translate, settings->search);
  const auto aids = add_aid_options(*translate);
  add_choice_options(*translate, *settings);
  CLI::Option* mbr = add_minimum_risk_options(*translate, settings->minimum_risk);
  add_bleu_options(*translate, settings->minimum_risk.bleu, "for --mbr-utility bleu");
  for (const char* of_bleu : {"--bleu", "--bleu-lower-case"}) translate->get_option(of_bleu)->needs(mbr);
  translate->footer(as_tested + ".");
  return {translate,
          [=] {
            require_samples(*translate, settings->minimum_risk);
            if (translate->count("--seed") > 0 && !settings->draws())
              throw CLI::RequiresError("--seed", "--sample or --mbr");
            for (const char* of_bleu : {"--bleu", "--bleu-lower-case"})
              if (translate->count(of_bleu) > 0 && settings->minimum_risk.utility != Utility::bleu)
                throw CLI::RequiresError(of_bleu, "--mbr-utility bleu");
            require_apart(settings->output, {settings->model, aids->shortlist, aids->reverse_model});
            const Translator translator = load(*translate, settings->model, aids);
            require_choice(*aids, settings->search);
            settings->reverse_model = aids->reverse_model;
            translate_text(translator, *settings);
          },
          "translate --input sentences.txt --output translations.txt"};
}

Subcommand score_command(CLI::App& app) {
  const auto settings = std::make_shared<ScoreSettings>();
  CLI::App* score = app.add_subcommand("score", "say how probable a model finds given translations");
  const Options options = with_model(*score, settings->model);
  score->add_option("tsv", settings->tsv, "lines `source TAB target`")->type_name("FILE")->required();
  options.file("output", settings->output, "file for the result: a run that was ended goes on where it was");
  options.not_negative("rivals", settings->rivals,
                       "other words to name for each word, with their probabilities");
  options.flag("json", settings->json, "print a JSON line for each pair");
  return {score,
          [=] {
            require_apart(settings->output, {settings->model});
            score_translations(*settings);
          },
          "score pairs.tsv --rivals 3"};
}

Subcommand export_command(CLI::App& app) {
  struct ExportSettings {
    std::string model = TranslateSettings().model, to = "marian", out;
  };
  const auto settings = std::make_shared<ExportSettings>();
  CLI::App* exporting = app.add_subcommand("export", "write a model for another program");
  const Options options = with_one_model(*exporting, settings->model);
  options.choice("to", settings->to, "whose format", translator_formats().all());
  exporting->add_option("out", settings->out, "the folder to write; a file for gradual")
      ->type_name("FOLDER")
      ->required();
  return {
      exporting,
      [=] {
        if (paths_of_translators(settings->model).size() > 1)
          throw std::invalid_argument(
              "export: one model must be named, as no format holds several that translate together: got " +
              settings->model);
        require_apart(settings->out, {settings->model});
        export_translator(load_model(settings->model), translator_formats().value(settings->to),
                          settings->out);
        std::cout << settings->out << "\n";
      },
      "export --to ctranslate2 out/for-ctranslate2"};
}

Subcommand evaluate_command(CLI::App& app) {
  const auto settings = std::make_shared<UseSettings>();
  CLI::App* evaluation =
      app.add_subcommand("evaluate", "translate held-out sentences and say how many are right");
  const Options options = with_model(*evaluation, settings->model);
  options.file("tsv", settings->tsv,
               "lines `source TAB target`; without it, the held-out sentences beside the model");
  options.flag("json", settings->json, "print one JSON line of figures");
  options.flag("all-bleu", settings->all_bleu, "BLEU by every way to count words, each with its signature");
  add_search_options(*evaluation, settings->test.search);
  const auto aids = add_aid_options(*evaluation);
  CLI::Option* mbr = add_minimum_risk_options(*evaluation, settings->test.minimum_risk);
  // In a group of its own: it is not the seed of the training, as search options are those of the training.
  Options(*evaluation, "Sampling").not_negative("seed", settings->test.seed, "of --mbr")->needs(mbr);
  add_bleu_options(*evaluation, settings->test.bleu);
  evaluation->footer(as_tested + ".");
  return {evaluation,
          [=] {
            require_samples(*evaluation, settings->test.minimum_risk);
            const Translator translator = load(*evaluation, settings->model, aids);
            require_choice(*aids, settings->test.search);
            settings->reverse_model = aids->reverse_model;
            evaluate_model(translator, *settings);
          },
          "evaluate --tsv out/toy/compositional.tsv"};
}

Subcommand attention_command(CLI::App& app) {
  const auto settings = std::make_shared<UseSettings>();
  CLI::App* attention =
      app.add_subcommand("attention", "draw which words attention looks at, and what search explored");
  const Options options = with_model(*attention, settings->model);
  attention->add_option("sentence", settings->sentence, "the sentence to translate")->required();
  options.file("out", settings->out, "the page to write");
  options.flag("json", settings->json,
               "print one JSON line with everything, whatever the length, and write no page");
  add_search_options(*attention, settings->test.search);
  const auto aids = add_aid_options(*attention);
  attention->footer(as_tested +
                    ", but with at least three translations at a time, and at most five, so that there is a "
                    "search to see; where that finds another translation, it is said.");
  return {attention,
          [=] {
            require_apart(settings->out, {settings->model, aids->shortlist, aids->reverse_model});
            draw_attention(load(*attention, settings->model, aids), *settings);
          },
          "attention \"The small cat sleeps.\""};
}

Subcommand serve_command(CLI::App& app) {
  const auto settings = std::make_shared<ServeSettings>();
  CLI::App* serving = app.add_subcommand("serve", "a page on this machine that translates, and shows why");
  const Options options = with_model(*serving, settings->model);
  options.between("port", settings->port, 0, 65535, "where it listens; 0: any port that is free");
  options("host", settings->host, "whom it listens to; 0.0.0.0: everybody who can reach this machine");
  add_search_options(*serving, settings->search);
  const auto aids = add_aid_options(*serving);
  serving->footer(as_tested + "; the page can choose another beam.");
  return {serving,
          [=] {
            settings->as_at_prompt = serving->count("--beam") == 0;  // what load() adds is of the prompt, too
            settings->reverse_model = aids->reverse_model;
            serve(load(*serving, settings->model, aids), *settings);
          },
          "serve --port 8080"};
}

int run(CLI::App& app, int argc, char** argv) {
  app.require_subcommand(1);
  CLI::App* train =
      app.add_subcommand("train", "train a model, test it, and leave model, log and page in a folder");
  TrainOptions train_options(*train);
  const std::string start = typed_command("translate");
  std::vector<Subcommand> others;
  const auto add = [&](const std::string& heading,
                       std::initializer_list<Subcommand (*)(CLI::App&)> commands) {
    for (const auto& command : commands) {
      others.push_back(command(app));
      const auto& [added, run, example] = others.back();
      const std::string more = added->get_footer();
      added->group(heading)->footer((more.empty() ? "" : more + "\n") + "For example:\n" + start + " " +
                                    example);
    }
  };
  const std::string first = "To begin with, one after the other";
  train->group(first);
  add(first, {translate_command, attention_command, serve_command});
  add("How good it is", {evaluate_command, score_command, heads_command});
  add("What happened in training", {why_command, diff_command, rebuild_command});
  add("Texts, and models for other programs", {data_command, shortlist_command, export_command});
  app.footer("train leaves a model, which the others use. What to type:\n\n" +
             commands_with_remarks({{start + " train", "under a minute"},
                                    {start + " translate", "then type sentences"},
                                    {start + " attention \"The small cat sleeps.\"", "makes a page"},
                                    {start + " serve", "until Ctrl-C"},
                                    {start + " train --help", "what it can be told"}}));

  std::vector<std::string> typed = CommandLine::words(argc, argv);
  std::vector<std::string> of_train;
  if (!typed.empty() && typed.front() == "train") {
    prepare_help(*train, typed);
    of_train.assign(typed.begin() + 1, typed.end());
  }
  const std::vector<ConfigLine> config = config_of(*train, of_train);  // a pipe can be read only once
  const auto parse = [&](const std::string& planned) {
    std::vector<std::string> arguments = typed;
    if (!typed.empty() && typed.front() == "train") {
      arguments = with_config_and_preset(*train, of_train, config, planned);
      arguments.insert(arguments.begin(), "train");
    }
    std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
    app.parse(arguments);
  };
  parse("");
  if (*train) check_plan(of_train, config);
  for (const Subcommand& each : others)
    if (*each.command) each.run();
  return *train ? train_together(train_options, of_train, parse) : 0;
}

}  // namespace

int main(int argc, char** argv) {
  CommandLine app{
      "Trains a transformer to translate, and translates with it. The embedded English–French corpus needs "
      "no download.",
      "translate"};
  return run_program("translate", app, [&] { return run(app, argc, argv); });
}
