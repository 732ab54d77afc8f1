// rounds: what a second round of attention can express that one cannot.
#include <cstdio>
#include <iostream>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <gradual/core/error.hpp>
#include <gradual/core/files/atomic_file.hpp>
#include <gradual/core/files/folder.hpp>
#include <gradual/core/threads.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/page/page.hpp>

#include "../command_line.hpp"
#include "experiment.hpp"

using namespace gradual;

namespace {

struct Settings {
  Budget budget;
  Index width = 32;
  int threads = thread_count();
  std::string out = "out/rounds";
  bool json = false;
};

std::string name_of(const Size& size) {
  return text(size.rounds, size.rounds == 1 ? " round" : " rounds", " of width ", size.width);
}

void print_head() {
  std::printf("%-24s%12s%10s%11s   of the weight, in the best head of each round:\n", "", "parameters",
              "time", "right");
}

void print(const Result& result) {
  std::printf("%-24s%12lld%8.1f s%9.1f %%", name_of(result.size).c_str(),
              static_cast<long long>(result.parameters), result.seconds, result.accuracy);
  for (std::size_t round = 0; round < result.to_answer.size(); ++round)
    std::printf("%s%.0f %% to the name before, %.0f %% to the answer", round == 0 ? "   " : "; ",
                100 * result.to_name_before[round], 100 * result.to_answer[round]);
  std::printf("\n");
  std::fflush(stdout);
}

Html pictures_of(const Result& result) {
  Html html;
  html.heading(4, "Every head of every round").picture(result.pictures.maps);
  html.heading(4, "The mean of a round's heads, as a graph").pictures(result.pictures.graphs);
  html.heading(4, "Through all rounds: how far each place goes back to each token")
      .picture(result.pictures.rollout);
  return html;
}

std::string page(const std::vector<Result>& results, double guessing, const Settings& settings) {
  Html html;
  std::vector<std::vector<std::string>> rows;
  std::vector<Html::Choice> choices;
  LineChart curves{"Answers that are right (%)", "step", {}};
  for (const Result& result : results) {
    const std::string name = name_of(result.size);
    rows.push_back({name, text(result.parameters), fixed_text(result.seconds, 1) + " s",
                    fixed_text(result.accuracy, 1) + " %"});
    curves.series.push_back({name, result.steps, result.accuracies});
    choices.insert(choices.begin(), {name, pictures_of(result)});  // the one that can do it first
  }
  rows.push_back({"a guess among the values so far", "", "", fixed_text(guessing, 1) + " %"});
  html.paragraph(
      "Names and their values stand by turns: \"c 7 a 3 c\" is to go on with 7. A name's value lies one "
      "place behind "
      "it. One round of attention can find an earlier c, but what it brings back from there is c; what "
      "stands behind "
      "does not know what it stands behind. With two rounds, the first tells every value which name it "
      "follows, "
      "and the second finds the value that follows c.");
  html.table({"Model", "Parameters", "Training", "Right"}, rows).charts({curves});
  html.heading(2, "What they look at");
  html.paragraph(
      "A sequence that no model was trained on. Each row is a place, each column a token that it may look "
      "at.");
  html.choices("Model", choices);
  return html_page("What a second round is for",
                   text(settings.budget.steps, " steps of ", settings.budget.batch,
                        " new sequences each, seed ", settings.budget.seed),
                   html);
}

nlohmann::ordered_json to_json(const std::vector<Result>& results, double guessing) {
  nlohmann::ordered_json json{{"guessing", guessing}, {"models", nlohmann::ordered_json::array()}};
  for (const Result& result : results)
    json["models"].push_back({{"rounds", result.size.rounds},
                              {"width", result.size.width},
                              {"parameters", result.parameters},
                              {"seconds", result.seconds},
                              {"accuracy", result.accuracy},
                              {"to_name_before", result.to_name_before},
                              {"to_answer", result.to_answer}});
  return json;
}

void run(const Settings& settings) {
  set_thread_count(settings.threads);
  const double guessing = guessing_accuracy(settings.budget);
  if (!settings.json) print_head();
  std::vector<Result> results;
  for (const Size& size : {Size{1, settings.width}, Size{1, 2 * settings.width}, Size{2, settings.width}}) {
    results.push_back(run_experiment(size, settings.budget));
    if (!settings.json) print(results.back());
  }
  make_folder(settings.out);
  const std::string file = settings.out + "/page.html";
  write_file_atomically(file, page(results, guessing, settings));
  if (settings.json)
    std::cout << to_json(results, guessing).dump() << std::endl;
  else
    std::printf("%-46s%9.1f %%\npage  %s\n", "a guess among the values so far", guessing, file.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  Budget& budget = settings.budget;
  CLI::App app("Trains models with one and two rounds of attention to say which value belongs to a name.");
  const auto add = [&](const char* name, auto& value, const char* description) {
    app.add_option(name, value, description)->transform(above_zero(value))->capture_default_str();
  };
  add("--steps", budget.steps, "training steps");
  add("--batch", budget.batch, "sequences in a step");
  add("--pairs", budget.pairs, "names with their values in a sequence");
  add("--names", budget.sizes.names, "different names, at most 26");
  add("--values", budget.sizes.values, "different values");
  add("--width", settings.width, "width of the smaller models");
  add("--heads", budget.heads, "heads of a round");
  add("--learning-rate", budget.learning_rate, "its peak");
  app.add_option("--positions", budget.positions, "sinusoidal, learned, relative, alibi, rotary or none")
      ->capture_default_str();
  add_seed(app, budget.seed, "of weights and sequences");
  add("--threads", settings.threads, "threads");
  app.add_option("--out", settings.out, "folder for the page")->capture_default_str();
  app.add_flag("--json", settings.json, "print one JSON line");
  return run_program("rounds", app, [&] {
    app.parse(argc, argv);
    run(settings);
  });
}
