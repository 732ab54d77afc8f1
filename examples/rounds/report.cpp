#include "report.hpp"

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/number_text.hpp>

#include "../terminal/console.hpp"
#include "../terminal/legend.hpp"

using namespace gradual;

std::string about_rounds() {
  return "In one round of attention (one layer) every token (a name or a value) looks once, at itself and "
         "those before it, and a look can only use what these knew before the round.";
}

std::string introduction(Index questions, const Settings& settings) {
  return lines_for_output(
      text(question,
           "\n\nThe task: names and values stand by turns, and a name keeps its value. When a name comes "
           "again, say its value. That takes two steps:\n\n"
           "  c 7 a 3 c  →  7\n"
           "  └─┘        step 1: the 7 looks back at the c before it and knows whose it is\n"
           "    └─────┘  step 2: the last c looks back at the value that is c's: the 7\n\n",
           about_rounds(),
           "\n\nModels have one round or two; their width is how many numbers stand for a token. Each learns "
           "in ",
           grouped_text(settings.budget.steps), " steps of ", settings.budget.batch, " sequences (seed ",
           settings.seed, "). “Right” is how many of ", grouped_text(questions),
           " such questions it then answers right.\n"));
}

ResultTable table_of_answers(const Results& results, bool with_time) {
  std::vector<ResultTable::Column> columns{
      {"model", "", 0, "", 20}, {"accuracy", "right", 1, " %"}, {"parameters", "parameters"}};
  if (with_time) columns.push_back({"cpu_seconds", "CPU time", 1, " s"});
  ResultTable table(columns);
  const auto add = [&](std::vector<ResultTable::Cell> row) {
    row.resize(columns.size());
    table.add(row);
  };
  for (const Result& each : results.models)
    add({each.size.name(), each.curve.figure(), each.parameters, each.curve.processor_seconds()});
  table.part();
  add({any_value, results.guesses.alike});
  add({commonest_value, results.guesses.commonest});
  return table;
}

std::string lines_of_answers(const Results& results) {
  ResultTable table = table_of_answers(results, true);
  return table.within(static_cast<std::size_t>(output_columns())).lines() + "\n" +
         lines_for_output(legend({{any_value, "one of the different values so far, by chance"},
                                  {commonest_value, "the value that stands there most often"}}));
}

ResultTable table_of_looks(const Results& results) {
  ResultTable table(
      {{"round", "", 0, "", 29}, {"to_name", "reads name", 0, " %"}, {"to_answer", "finds answer", 0, " %"}});
  const auto add = [&](const std::string& name, const Looks& looks) {
    table.add({name, 100 * looks.most_to_name_before(), 100 * looks.most_to_answer()});
  };
  for (const Result& each : results.models)
    for (std::size_t r = 0; r < each.rounds.size(); ++r)
      add(each.size.name() + (each.rounds.size() == 1 ? "" : text(": round ", r + 1)), each.rounds[r]);
  table.part();
  add("even weights", results.even);
  return table;
}

std::string about_looks() {
  return "Which round takes which step? We look at the weights that a token gives (they sum to 1), in the "
         "head of the round that gives most.";
}

std::vector<std::pair<std::string, std::string>> columns_of_looks() {
  return {{"reads name", "step 1: a value's weight on the name before it"},
          {"finds answer", "step 2: a name's weight on the values that follow the same name"},
          {"even weights", "a yardstick: what no choice at all would give"}};
}

std::string lines_of_looks(const Results& results) {
  ResultTable table = table_of_looks(results);
  return lines_for_output(about_looks() + "\n\n" + legend(columns_of_looks()) + "\n") +
         table.within(static_cast<std::size_t>(output_columns())).lines();
}
