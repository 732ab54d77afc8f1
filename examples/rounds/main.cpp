// rounds: what a second round of attention can express that one cannot.
#include <iostream>

#include <gradual/core/files/folder.hpp>
#include <gradual/nn/json.hpp>
#include <gradual/nn/positions/positions.hpp>

#include "report.hpp"

using namespace gradual;

namespace {

Json to_json(const Results& results) {
  Json json{{"guessing", results.guesses.alike}, {"models", Json::array()}};
  const auto shares = [](const Result& result, double (Looks::*most)() const) {
    std::vector<double> each;
    for (const Looks& round : result.rounds) each.push_back((round.*most)());
    return each;
  };
  for (const Result& result : results.models)
    json["models"].push_back({{"rounds", result.size.rounds},
                              {"width", result.size.width},
                              {"parameters", result.parameters},
                              {"cpu_seconds", result.curve.processor_seconds()},
                              {"accuracy", result.curve.figure()},
                              {"to_name_before", shares(result, &Looks::most_to_name_before)},
                              {"to_answer", shares(result, &Looks::most_to_answer)}});
  return json;
}

void run(Settings& settings) {
  settings.budget.seed = settings.seed;
  settings.budget.quiet = settings.json;
  make_folder(settings.out);
  Results results{{}, guess(settings.budget), {}};
  const Size sizes[] = {{2, settings.width}, {1, settings.width}, {1, 2 * settings.width}};
  for (const Size& size : sizes) check(size, settings.budget);  // no words above an error
  say_task(settings, introduction(static_cast<Index>(results.guesses.questions), settings));
  for (const Size& size : sizes) results.models.push_back(run_experiment(size, settings.budget));
  results.even = even_looks(settings.budget);
  if (settings.json)
    std::cout << json_text(to_json(results)) << std::endl;
  else
    std::cout << lines_of_answers(results) << "\n";
  say_paragraphs(settings, {result_of(results)});
  if (!settings.json) std::cout << lines_of_looks(results) << "\n";
  say_paragraphs(settings, {how_it_answers(results), why_one_does_not(results, "c", "7")});
  leave_page(settings, page(results, settings));
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
