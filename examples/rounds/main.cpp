// rounds: what a second round of attention can express that one cannot.
#include <iostream>

#include <nlohmann/json.hpp>

#include <gradual/core/error.hpp>
#include <gradual/core/files/folder.hpp>
#include <gradual/nn/drawing/page/page.hpp>
#include <gradual/nn/drawing/result_table.hpp>

#include <gradual/nn/positions/positions.hpp>

#include "../page_program.hpp"
#include "../terminal/console.hpp"
#include "experiment.hpp"

using namespace gradual;

namespace {

struct Settings : PageSettings {
  Budget budget;
  Index width = 32;
};

constexpr const char* meaning =
    "to the name: a value's weight on the name before it;\n"
    "to the answer: a name's weight on the answer; each in the head that gives most";

std::vector<ResultTable::Column> columns() {
  return {{"model", "", 0, "", 20},
          {"parameters", "parameters", 0, "", 5},
          {"cpu_seconds", "CPU\ntime", 1, " s", 6},
          {"accuracy", "right", 1, " %"},
          {"to_name_1", "round 1\nto the\nname", 0, " %"},
          {"to_answer_1", "round 1\nto the\nanswer", 0, " %"},
          {"to_name_2", "round 2\nto the\nname", 0, " %"},
          {"to_answer_2", "round 2\nto the\nanswer", 0, " %"}};
}

std::vector<ResultTable::Cell> row_of(const Result& result) {
  std::vector<ResultTable::Cell> row{result.size.name(), result.parameters, result.curve.processor_seconds(),
                                     result.curve.figure()};
  for (std::size_t round = 0; round < result.to_answer.size(); ++round)
    row.insert(row.end(), {100 * result.to_name_before[round], 100 * result.to_answer[round]});
  row.resize(columns().size());
  return row;
}

Html pictures_of(const Result& result) {
  Html html;
  html.heading(4, "How it answers the last question");
  html.picture(
      result.hops,
      "Above, what the last round looks at from the name that is asked about; below, what the round "
      "before looked at from there. With two rounds the way leads to the value, and the value knew whose "
      "it is.");
  html.heading(4, "Every head of every round").picture(result.pictures.maps);
  html.heading(4, "The mean of a round's heads, as a graph").pictures(result.pictures.graphs);
  html.heading(4, "Through all rounds: how far each place goes back to each token")
      .picture(result.pictures.rollout);
  return html;
}

std::string page(const std::vector<Result>& results, const ResultTable& table, const Settings& settings) {
  Html html;
  std::vector<Html::Choice> choices;
  LineChart curves{"Answers that are right (%)", "step", {}};
  for (const Result& result : results) {
    const std::string name = result.size.name();
    curves.series.push_back(result.curve.figures(name));
    choices.insert(choices.begin(), {name, pictures_of(result)});  // the one that can do it first
  }
  html.paragraph(
      "Names and their values stand by turns: \"c 7 a 3 c\" is to go on with 7. A name's value stands one "
      "place after it. One round of attention can find an earlier c, but what it brings back from there is "
      "c; "
      "the value after it does not know whose value it is. With two rounds, the first tells every value "
      "which name it follows, and the second finds the value that follows c.");
  html.table(table.titles(), table.rows()).paragraph(meaning).charts({curves});
  html.heading(2, "What they look at");
  html.paragraph(
      "A sequence that no model was trained on. Each row is a place, each column a token that it may look "
      "at.");
  html.choices("Model", choices);
  return html_page("What a second round is for",
                   text(settings.budget.steps, " steps of ", settings.budget.batch,
                        " new sequences each, seed ", settings.seed),
                   html);
}

nlohmann::ordered_json to_json(const std::vector<Result>& results, double guessing) {
  nlohmann::ordered_json json{{"guessing", guessing}, {"models", nlohmann::ordered_json::array()}};
  for (const Result& result : results)
    json["models"].push_back({{"rounds", result.size.rounds},
                              {"width", result.size.width},
                              {"parameters", result.parameters},
                              {"cpu_seconds", result.curve.processor_seconds()},
                              {"accuracy", result.curve.figure()},
                              {"to_name_before", result.to_name_before},
                              {"to_answer", result.to_answer}});
  return json;
}

void run(Settings& settings) {
  settings.budget.seed = settings.seed;
  settings.budget.quiet = settings.json;
  make_folder(settings.out);
  const double guessing = guessing_accuracy(settings.budget);
  ResultTable table(columns());
  table.within(static_cast<std::size_t>(output_columns()));
  const auto say = [&](const std::string& line) {
    if (!settings.json) std::cout << line << std::flush;
  };
  std::vector<Result> results;
  for (const Size& size : {Size{1, settings.width}, Size{1, 2 * settings.width}, Size{2, settings.width}}) {
    results.push_back(run_experiment(size, settings.budget));
    const Result& made = results.back();
    table.add(row_of(made));
    if (results.size() == 1) say(table.head());  // not above an error
    say(table.last_line());
  }
  table.add({"guessing a value", {}, {}, guessing, {}, {}, {}, {}});
  say(table.last_line());
  say(wrapped_for_output(text("\n", meaning, "\n")));
  if (settings.json) std::cout << to_json(results, guessing).dump() << std::endl;
  leave_page(settings, page(results, table, settings));
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  Budget& budget = settings.budget;
  PageProgram program(
      "rounds", "Trains models with one and two rounds of attention to say which value belongs to a name.",
      settings);
  const Options& add = program.options;
  add.positive("steps", budget.steps, "training steps");
  add.positive("batch", budget.batch, "sequences in a step");
  add.positive("pairs", budget.pairs, "names with their values in a sequence");
  add.between("names", budget.sizes.names, Index(1), Index(26), "different names");
  add.positive("values", budget.sizes.values, "different values");
  add.positive("width", settings.width, "width of the smaller models");
  add.positive("heads", budget.heads, "heads of a round");
  add.positive("learning-rate", budget.learning_rate, "its peak");
  add.choice("positions", budget.positions, "how the order enters", position_kinds().names());
  return program.run(argc, argv, "of weights and sequences", [&] { run(settings); });
}
