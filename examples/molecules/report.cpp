#include "report.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/page/page.hpp>

#include "../in_code.hpp"
#include "../terminal/colour.hpp"
#include "../terminal/console.hpp"
#include "../terminal/legend.hpp"
#include "structures.hpp"

using namespace gradual;

namespace {

constexpr const char* question = "Can a model tell ethanol from dimethyl ether?";

// C₂H₆O, which boils at 78.3 °C where the oxygen stands at the end, and at -24.8 °C where it stands between.
constexpr double ethanol_boils = 78.3, ether_boils = -24.8;  // measured, at 1 atm
double celsius(double kelvin) { return kelvin - 273.15; }

constexpr const char* one_formula = "the same formula, C₂H₆O: atoms alone must give both the same.";

// Where Joback's method and the models begin, in °C.
std::string begin_of_sums() { return with_minus(fixed_text(celsius(joback_begins_at), 2)); }

std::string degrees(double value) { return with_minus(fixed_text(value, 1)) + " °C"; }

constexpr const char* after_one_look =
    "After one look or mean an O knows whether an H or two carbons are beside it.";

// The models, and what an atom does in each.
std::vector<std::pair<std::string, std::string>> models() {
  return {{"two looks along bonds",
           "attention: a mean of itself and what it is bound to, by weights that it chooses, twice"},
          {"one look along bonds", "the same, once"},
          {"two means along bonds", "the mean of these atoms, all with equal weight, twice"},
          {"each atom alone", "it sees no other"}};
}

// What bonds are worth, and weights; "" where the models that see bonds have not learnt to use them yet.
std::string finding(const Results& results) {
  const double twice = mean_of(results.twice.errors), once = mean_of(results.once.errors),
               averaged = mean_of(results.averaged.errors), alone = mean_of(results.alone.errors);
  if (5 * std::max({twice, once, averaged}) > alone) return "";
  const auto is_like_two_looks = [&](double error) { return std::abs(error - twice) < alone / 20; };
  return text("In short: what is bound to what is what counts.",
              is_like_two_looks(averaged)
                  ? " The weights of a look hardly matter here: plain means do about as well."
                  : "",
              is_like_two_looks(once) ? text(" One look does most of it, for most of a group is an atom and "
                                             "what is bound to it: it errs by ",
                                             degrees(once), ", two looks by ", degrees(twice),
                                             ", and each atom alone by ", degrees(alone), ".")
                                      : "");
}

// Where weights do matter, and whether this is chance.
std::string where_more_is() {
  return "For other seeds see examples/molecules/README.md; for a task where weights matter, ./run images.";
}

// What the models cannot learn from the estimate.
std::string about_the_estimate() {
  const auto off = [](const Structure& structure, double measured) {
    return fixed_text(std::abs(celsius(joback_boiling_point(structure.molecule)) - measured), 0) + " °C";
  };
  return text("Models learn the estimate, which is itself off by ", off(ethanol, ethanol_boils),
              " for ethanol and ", off(dimethyl_ether, ether_boils),
              " for the ether. To do better takes a table of measured values.");
}

// What the atoms of a group add.
double added(const Group& group, const Look& look) {
  double sum = 0;
  for (const Index atom : group.atoms) sum += look.atoms[static_cast<std::size_t>(atom)];
  return sum;
}

// All groups of both isomers: see(name, group, what two looks make of the isomer, what atoms alone do).
template <class See>
void each_group(const Results& results, See see) {
  const auto of = [&](const std::string& name, const Structure& structure, Look Result::*look) {
    for (const Group& group : structure.groups)
      see(group.name + " of " + name, group, results.twice.*look, results.alone.*look);
  };
  of("ethanol", ethanol, &Result::ethanol);
  of("dimethyl ether", dimethyl_ether, &Result::ether);
}

// Whether the models find the groups: what the atoms of each add, beside what is right.
ResultTable table_of_groups(const Results& results) {
  ResultTable table({{"group", "", 0, "", 22},
                     {"joback", "Joback's", 1, " °C"},
                     {"twice", "two looks", 1, " °C"},
                     {"alone", "alone", 1, " °C", 8}});
  std::set<std::string> names;  // a group that stands there twice adds the same each time
  each_group(results, [&](const std::string& name, const Group& group, const Look& seen, const Look& blind) {
    if (names.insert(name).second) table.add({name, group.joback, added(group, seen), added(group, blind)});
  });
  return table;
}

// As tables show it: what is said of differences must not contradict them.
double rounded(double value) { return std::round(10 * value) / 10; }

// How far what the atoms of a group add is from what is right, as tables show both.
double off(const Group& group, const Look& look) {
  return std::abs(rounded(added(group, look)) - rounded(group.joback));
}

// How far they are from what is right.
std::string farthest_group(const Results& results) {
  double most = 0;
  std::string which;
  each_group(results, [&](const std::string& name, const Group& group, const Look& seen, const Look&) {
    if (off(group, seen) > most) {
      most = off(group, seen);
      which = name;
    }
  });
  return text("Of all groups of both molecules the ", which, " is farthest off with two looks, by ",
              degrees(most),
              ": only the sum over all atoms is taught, which a model may share among them as it likes.");
}

// Whether the groups are found, from who is farthest off.
std::string how_far_groups_are(const Results& results) {
  double twice = 0, alone = 0;
  each_group(results, [&](const std::string&, const Group& group, const Look& seen, const Look& blind) {
    twice = std::max(twice, off(group, seen));
    alone = std::max(alone, off(group, blind));
  });
  constexpr double near = 10;
  return text(twice < near ? "Nearly: with two looks no group is farther off than "
                           : "Not yet: with two looks a group is still off by ",
              degrees(twice), "; where each atom is alone, one is off by ", degrees(alone), ".");
}

// Whether a hydrogen is another one where it is bound to something else.
std::string about_hydrogens(const Results& results) {
  constexpr std::size_t on_carbon = 3, on_oxygen = 8;  // H1 and H6
  const auto adds = [](const Result& by, std::size_t atom) { return degrees(by.ethanol.atoms[atom]); };
  return text("Of the hydrogens of ethanol the one of OH adds ", adds(results.twice, on_oxygen),
              " with two looks, one of CH₃ ", adds(results.twice, on_carbon),
              ". Where each atom is alone, every hydrogen adds ", adds(results.alone, on_oxygen), ".");
}

constexpr std::size_t most_dots = 120;

// What each model said of test molecules against what is true; on the line both are the same. The line goes
// over all that any of them said: so all charts have the same axes.
std::vector<LineChart> predicted_against_true(const Results& results, const MoleculeBatch& test) {
  const double nothing = std::numeric_limits<double>::quiet_NaN();  // parts a dot from the next
  double low = 1e9, high = -1e9;
  std::vector<LineChart> charts;
  for (const Result* model : results.ends()) {
    const Result& result = *model;
    LineChart chart{"Predicted by " + result.name + " (°C)", "Joback's estimate (°C)", {}};
    chart.equal_axes = true;
    Series dots{result.name, {}, {}};
    dots.colour = static_cast<int>(charts.size());  // as in the chart of the errors
    for (std::size_t i = 0; i < std::min(most_dots, result.predicted.size()); ++i) {
      const double truth = celsius(static_cast<double>(test.targets.data()[i]));
      const double said = celsius(result.predicted[i]);
      dots.x.insert(dots.x.end(), {truth, nothing});
      dots.y.insert(dots.y.end(), {said, nothing});
      low = std::min({low, truth, said});
      high = std::max({high, truth, said});
    }
    chart.series.push_back(dots);
    charts.push_back(chart);
  }
  for (LineChart& chart : charts) chart.series.push_back({"no error", {low, high}, {low, high}, true});
  return charts;
}

// The molecules of which the atoms alone say least.
void add_worst(Html& html, const Results& results, const std::vector<Molecule>& molecules,
               const MoleculeBatch& test) {
  constexpr std::size_t shown = 5;
  std::vector<std::size_t> order(molecules.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  const std::vector<double>& errors = results.alone.errors;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return errors[a] > errors[b]; });
  std::vector<std::vector<std::string>> rows;
  std::set<std::string> formulas;
  for (const std::size_t i : order) {
    if (rows.size() == shown) break;
    if (!formulas.insert(molecules[i].formula()).second) continue;
    std::vector<std::string> row{with_indices(molecules[i].structure()), with_indices(molecules[i].formula()),
                                 fixed_text(celsius(static_cast<double>(test.targets.data()[i])), 1) + " °C"};
    for (const Result* each : results.ends())
      row.push_back(fixed_text(celsius(each->predicted[i]), 1) + " °C");
    rows.push_back(row);
  }
  html.heading(2, "Where atoms alone are farthest off");
  html.paragraph(
      "The molecules that atoms alone miss by most, one of each formula; a molecule is written along its "
      "longest chain, and what branches off stands in parentheses. The same atoms can stand in groups that "
      "hold on to other molecules, such as OH and NH₂, or in others, such as an O between two carbons. They "
      "can make a straight chain or a branched one. Atoms alone must give one answer for all of them.");
  html.table({"molecule", "formula", "Joback's", results.twice.name, results.alone.name}, rows);
}

// "-74.9 + 23.6 + … = 64.4 °C"
std::string sum_of_groups(const Structure& structure) {
  std::string sum = begin_of_sums();
  for (const Group& group : structure.groups) sum += " + " + fixed_text(group.joback, 2);
  return sum + " = " + with_minus(fixed_text(celsius(joback_boiling_point(structure.molecule)), 2)) + " °C";
}

void add_contributions(Html& html, const Results& results) {
  html.heading(2, "What each atom adds");
  html.paragraph(
      "Are the groups found? A model gives each atom a number and adds them all up. What the atoms of a "
      "group add, beside what Joback's method adds for it:");
  const ResultTable groups = table_of_groups(results);
  html.table(groups.titles(), groups.rows());
  html.paragraph(text("Joback's method and the models begin with ", fixed_text(joback_begins_at, 1),
                      " K, or ", begin_of_sums(), " °C. It gives ethanol ", sum_of_groups(ethanol), "."));
  html.paragraph(farthest_group(results) + " " + about_hydrogens(results) +
                 " The pictures show what each atom adds with two looks, in °C, rounded.");
  html.markup(atoms_legend());
  html.pictures({draw_contributions(ethanol, results.twice.ethanol.atoms),
                 draw_contributions(dimethyl_ether, results.twice.ether.atoms)});
}

void add_attention(Html& html, const Results& results) {
  const Look &in_ethanol = results.twice.ethanol, &in_ether = results.twice.ether;
  html.heading(2, "Who looks at whom");
  std::vector<double> given = given_by_oxygen(ethanol, in_ethanol.heads);
  for (const double each : given_by_oxygen(dimethyl_ether, in_ether.heads)) given.push_back(each);
  const auto [least, most] = std::minmax_element(given.begin(), given.end());
  html.paragraph(text(
      "What an atom gives to itself and to the atoms that it is bound to adds up to 1, but for rounding. The "
      "pictures show what the oxygen gives in the first look, on average over the heads, which are ways to "
      "look; the more, the thicker the bond. ",
      "The shares lie between ", fixed_text(*least, 2), " and ", fixed_text(*most, 2),
      ", where equal ones are 0.33. ", *most - *least < 0.25 ? "The bonds do more than the weights." : ""));
  html.paragraph(
      "With any weights the oxygen hears of a carbon and a hydrogen in ethanol, of two carbons in dimethyl "
      "ether. In the second look the atoms that are bound to it hear of this: in ethanol C2 and H6. Those "
      "two bonds away, C1, H4 and H5, hear through C2 only that an oxygen is there, and H1, H2 and H3 not "
      "even that.");
  html.pictures({draw_given_by_oxygen(ethanol, in_ethanol.heads),
                 draw_given_by_oxygen(dimethyl_ether, in_ether.heads)});
}

// How far each model is off, and who says the mean of all that was learnt from of every molecule.
void add_errors(Html& html, const Results& results, const MoleculeBatch& test) {
  ResultTable table = table_of_models(results);
  const std::vector<double> guess = errors_of_guess(results, test);
  table.add(
      {"always the mean", mean_of(guess), *std::max_element(guess.begin(), guess.end()), {}, {}, {}, {}});
  const auto kept =
      [](const std::vector<std::string>& row) {  // what it says of the isomers stands beside these
        return std::vector<std::string>{row[0], row[1], row[2], row[5], row[6]};
      };
  std::vector<std::vector<std::string>> rows;
  for (const std::vector<std::string>& row : table.rows()) rows.push_back(kept(row));
  html.table(kept(table.titles()), rows);
}

// Whether they are told apart; "" where seeing bonds has not taught it yet.
std::string answer(const Results& results) {
  double farthest = 0;
  for (const Result* each : {&results.twice, &results.once, &results.averaged})
    for (const auto& [look, structure] :
         {std::pair(&each->ethanol, &ethanol), {&each->ether, &dimethyl_ether}})
      farthest = std::max(farthest, std::abs(look->kelvin - joback_boiling_point(structure->molecule)));
  if (farthest > 5) return "";
  return text("Yes: the models that see bonds are at most ", degrees(farthest),
              " off the estimate for both. Each atom alone must say ",
              degrees(celsius(results.alone.ethanol.kelvin)), " of both.");
}

// The isomers on paper, with what is measured, estimated and said by each model.
std::vector<std::string> isomers(const Results& results) {
  const auto draw = [&](const Structure& structure, double measured, Look Result::*look) {
    std::vector<std::pair<std::string, std::string>> boils = {
        {"measured", degrees(measured)},
        {"Joback's estimate", degrees(celsius(joback_boiling_point(structure.molecule)))}};
    for (const Result* each : results.all())
      boils.emplace_back(each->name, degrees(celsius((each->*look).kelvin)));
    return draw_structure(structure, boils);
  };
  return {draw(ethanol, ethanol_boils, &Result::ethanol), draw(dimethyl_ether, ether_boils, &Result::ether)};
}

}  // namespace

std::string introduction(const std::vector<Molecule>& tested, const Settings& settings) {
  std::set<std::string> formulas;
  for (const Molecule& each : tested) formulas.insert(each.formula());
  const auto joback = [](const Structure& each) {
    return degrees(celsius(joback_boiling_point(each.molecule)));
  };
  return lines_for_output(text(
      question,
      "\n\nThe task: at what temperature does a liquid boil, given the atoms of its molecule and what is "
      "bound to what?\n\n  CH₃–CH₂–OH, ethanol        →  ",
      joback(ethanol), "\n  CH₃–O–CH₃, dimethyl ether  →  ", joback(dimethyl_ether), "\n\nBoth have ",
      one_formula,
      " The answers are estimates by Joback's method, which adds up what groups of atoms, such as OH, "
      "contribute.\n\nWhat an atom does in each model:\n",
      legend(models()), "\n", after_one_look,
      " Is one look enough, and are the weights worth anything?\n\nEach learns in ", settings.steps,
      " steps of ", settings.batch, " molecules (seed ", settings.seed, ") and is tested on ",
      grouped_text(static_cast<Index>(tested.size())), " others, no two alike, of ",
      grouped_text(static_cast<Index>(formulas.size())),
      " formulas not trained on; ethanol and the ether are among those to learn from. Errors are "
      "distances from Joback's estimate.\n"));
}

ResultTable table_of_models(const Results& results) {
  ResultTable table({{"model", "", 0, "", 21},
                     {"mean_error", "mean\nerror", 1, " °C", 8},
                     {"largest_error", "largest\nerror", 1, " °C", 8},
                     {"ethanol", "ethanol\nboils at", 1, " °C", 8},
                     {"dimethyl_ether", "ether\nboils at", 1, " °C", 8},
                     {"parameters", "parameters"},
                     {"cpu_seconds", "CPU\ntime", 1, " s", 5}});
  for (const Result* each : results.all())
    table.add({each->name, each->curve.figure(), each->largest_error(), celsius(each->ethanol.kelvin),
               celsius(each->ether.kelvin), each->parameters, each->curve.processor_seconds()});
  return table.within(static_cast<std::size_t>(output_columns()));
}

ResultTable whole_table(const Results& results) {
  ResultTable table = table_of_models(results);
  table.part().add({"Joback's estimate",
                    {},
                    {},
                    celsius(joback_boiling_point(ethanol.molecule)),
                    celsius(joback_boiling_point(dimethyl_ether.molecule)),
                    {},
                    {}});
  table.add({"measured", {}, {}, ethanol_boils, ether_boils, {}, {}});
  return table;
}

std::string groups(const Results& results) {
  return lines_for_output(
             text("Are the groups found? Every sum begins at ", begin_of_sums(),
                  " °C; what the atoms of each group add to it, by Joback's method and by two models:\n\n")) +
         table_of_groups(results).within(static_cast<std::size_t>(output_columns())).lines() + "\n" +
         lines_for_output(how_far_groups_are(results) + "\n");
}

std::vector<std::string> conclusions(const Results& results) {
  const std::string found = finding(results);
  return {found, found.empty() ? "" : where_more_is(), about_the_estimate()};
}

std::string page(const Results& results, const std::vector<Molecule>& molecules, const MoleculeBatch& test,
                 const Settings& settings) {
  Html html;
  html.paragraph(
      text("At what temperature does a liquid boil, given the atoms of its molecule and what is bound to "
           "what? Ethanol and dimethyl ether have ",
           one_formula,
           " What is bound to what decides how strongly molecules hold on to each other. The answers to "
           "learn are estimates by Joback's method, which adds up what groups of atoms, such as OH, "
           "contribute. What an atom does in each model:"));
  html.terms(models()).paragraph(after_one_look).pictures(isomers(results));
  for (const std::string& each : {answer(results), about_the_estimate()})
    if (!each.empty()) html.paragraph(each);
  html.heading(2, "Formulas that were not trained on");
  const std::string found = finding(results);
  html.paragraph(
      "Ethanol and the ether are among the molecules to learn from; the figures of this section are of "
      "others.");
  if (!found.empty()) html.paragraph(found).paragraph(where_more_is());
  html.charts(predicted_against_true(results, test));
  const std::size_t tested = molecules.size(), dots = std::min(most_dots, tested);
  html.paragraph(
      text("A dot is a molecule; on the dashed line the prediction is right. With atoms alone the dots lie "
           "in rows: all molecules of the same atoms must get the same.",
           dots < tested ? text(" Of the ", grouped_text(static_cast<Index>(tested)), " molecules the first ",
                                dots, " are drawn: more dots would hide one another.")
                         : "",
           " One look and two means are in the table, and grey in the curves below it."));
  html.paragraph(
      "To count atoms is worth much, for larger molecules boil at higher temperatures: the last row says the "
      "mean of all molecules to learn from, whatever it is asked.");
  add_errors(html, results, test);
  html.paragraph("In these curves each line across stands for ten times the error of the one below.");
  LineChart chart{"Mean error on formulas that were not trained on (°C)", "step", {}};
  chart.log_y = chart.names_at_ends = true;
  for (const Result* each : results.ends()) chart.series.push_back(each->curve.figures(each->name));
  for (const Result* each : {&results.once, &results.averaged}) {
    chart.series.push_back(each->curve.figures(each->name));
    chart.series.back().faint = true;
  }
  html.charts({chart});
  add_worst(html, results, molecules, test);
  add_contributions(html, results);
  add_attention(html, results);
  add_places_in_code(html, "molecules",
                     {{"nn/graph/graph_attention.cpp", "attention along bonds"},
                      {"examples/molecules/model.cpp", "the models"},
                      {"nn/data/molecules.cpp", "molecules, and Joback's method"}});
  return html_page(question,
                   text(settings.steps, " steps of ", settings.batch, " new molecules, seed ", settings.seed),
                   html);
}
