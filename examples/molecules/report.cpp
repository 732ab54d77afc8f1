#include "report.hpp"

#include <set>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/json.hpp>

#include "../terminal/colour.hpp"
#include "../terminal/console.hpp"
#include "../terminal/legend.hpp"
#include "findings.hpp"

using namespace gradual;

std::string introduction(const std::vector<Molecule>& tested, const Settings& settings) {
  std::set<std::string> formulas;
  for (const Molecule& each : tested) formulas.insert(each.formula());
  return lines_for_output(text(
      question,
      "\n\nThe task: at what temperature does a liquid boil, given the atoms of its molecule and what is "
      "bound to what?\n\n  CH₃–CH₂–OH, ethanol        →  ",
      degrees(estimated(ethanol)), "\n  CH₃–O–CH₃, dimethyl ether  →  ", degrees(estimated(dimethyl_ether)),
      "\n\nBoth have ", one_formula,
      " The answers are estimates by Joback's method, which adds up what groups of atoms, such as OH, "
      "contribute.\n\nWhat an atom does in each model:\n",
      legend(models()), "\n", after_one_look,
      " Is one look enough, and are the weights worth anything?\n\nEach learns in ",
      grouped_text(settings.steps), " steps of ", settings.batch, " molecules (seed ", settings.seed,
      "), these two among them, and is tested on ", grouped_text(static_cast<Index>(tested.size())),
      " others, no two alike, of ", grouped_text(static_cast<Index>(formulas.size())),
      " formulas that were not trained on. Errors are distances from the estimate.\n"));
}

std::string outcome(const Results& results) {
  const ResultTable table = table_of_models(results).within(static_cast<std::size_t>(output_columns()));
  std::vector<std::pair<std::string, Colour>> models;
  for (const Result* each : results.all())
    models.emplace_back(each->name, tells_isomers_apart(*each) ? Colour::right : Colour::wrong);
  return with_rows_in_colour(with_minus(table.lines()), models) +
         with_landmarks_strong(
             lines_for_output(text("\n", answer(results), "\n\n", about_the_estimate(),
                                   "\n\nThe page draws who looks at whom and what each atom adds.\n\n")));
}

std::string json(const Results& results) {
  Json all = json_of(table_of_costs(results).json());
  const Json models = json_of(table_of_models(results).json());
  for (std::size_t i = 0; i < all.size(); ++i) all[i].update(models[i]);
  return json_text(all);
}
