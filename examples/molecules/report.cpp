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

namespace {

// Those that are not empty, one behind the other.
std::string paragraph(const std::vector<std::string>& sentences) {
  std::string joined;
  for (const std::string& each : sentences) joined += (joined.empty() || each.empty() ? "" : " ") + each;
  return joined.empty() ? "" : lines_for_output(joined + "\n\n");
}

std::string lines_of(ResultTable table) {
  return with_minus(table.within(static_cast<std::size_t>(output_columns())).lines()) + "\n";
}

}  // namespace

std::string introduction(const std::vector<Molecule>& tested, const Settings& settings) {
  return lines_for_output(text(
      question,
      "\n\nThe task: at what temperature does a liquid boil, given the atoms of its molecule and what is "
      "bound to what?\n\n  CH₃–CH₂–OH, ethanol        →  ",
      degrees(estimated(ethanol)), "\n  CH₃–O–CH₃, dimethyl ether  →  ", degrees(estimated(dimethyl_ether)),
      "\n\nBoth have ", one_formula,
      " The answers are estimates by Joback's method, which adds up what groups of atoms, such as OH, "
      "contribute.\n\nWhat an atom does in each model:\n",
      legend(models()), "\n", after_one_look,
      " Is one look enough, and are the weights worth anything?\n\nEach learns in ", settings.steps,
      " steps of ", settings.batch, " molecules (seed ", settings.seed, ") and is tested on ",
      grouped_text(static_cast<Index>(tested.size())), " others, no two alike.\n"));
}

std::string outcome(const Results& results, const std::vector<Molecule>& tested) {
  std::set<std::string> formulas;
  for (const Molecule& each : tested) formulas.insert(each.formula());
  const std::string found = finding(results);
  return lines_for_output(
             "What does each model say of the two? They are among the molecules to learn from.\n\n") +
         lines_of(table_of_isomers(results)) + paragraph({answer(results), about_the_estimate()}) +
         lines_for_output(text("The ", grouped_text(static_cast<Index>(tested.size())), " others are of ",
                               grouped_text(static_cast<Index>(formulas.size())),
                               " formulas that were not trained on. Errors are distances from Joback's "
                               "estimate:\n\n")) +
         lines_of(table_of_errors(results)) +
         paragraph({found, about_one_look(results), found.empty() ? "" : where_more_is()}) +
         lines_for_output(
             "How far are the weights from equal ones? What the oxygen of ethanol gives in the first look, "
             "on average over heads:\n\n") +
         lines_of(table_of_weights(results)) +
         lines_for_output(
             text("Are the groups found? Every sum begins at ", begin_of_sums(),
                  " °C; what the atoms of each group add to it, by Joback's method and by two models:\n\n")) +
         lines_of(table_of_groups(results)) + paragraph({how_far_groups_are(results)});
}

std::string json(const Results& results) {
  Json all = json_of(table_of_errors(results).json());
  const Json isomers = json_of(table_of_isomers(results).json());
  for (std::size_t i = 0; i < all.size(); ++i) all[i].update(isomers[i]);
  return json_text(all);
}
