#include "page.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/page/page.hpp>

#include "../in_code.hpp"
#include "findings.hpp"

using namespace gradual;

namespace {

using Figures = std::vector<std::pair<std::string, std::string>>;

// Two molecules side by side in the column of the text, with figures below them, the last of which are those
// of atoms alone.
constexpr const char* style =
    "<style>.cards{margin-inline:var(--inset)}.cards>div{display:flex;flex-direction:column;padding:12px "
    "18px}"
    ".cards .pictures{margin:auto;width:100%}.cards .pictures>*{border:0;background:none;padding:0}"
    ".cards .settings{display:block;border:0;background:none;padding:8px 0 0}"
    ".cards .settings div{padding:2px 0;border:0;margin:0}.cards .settings dt{color:inherit}"
    ".cards .settings div:last-child{font-weight:600;border-top:1px solid var(--line);margin-top:4px;"
    "padding-top:5px}</style>\n";

void add_pair(Html& html, const std::vector<std::pair<std::string, Figures>>& molecules) {
  std::vector<Html> cards;
  for (const auto& [drawing, figures] : molecules) {
    Html card;
    card.pictures({drawing});
    if (!figures.empty()) card.key_values(figures);
    cards.push_back(card);
  }
  constexpr int narrowest = 320;
  html.cards(cards, narrowest);
}

// What is measured, estimated and said by each model of an isomer.
Figures said_of(const Structure& isomer, double measured, Look Result::*look, const Results& results) {
  Figures boils = {{"measured", degrees(measured)}, {"Joback's estimate", degrees(estimated(isomer))}};
  for (const Result* each : results.all())
    boils.emplace_back(each->name, degrees(celsius((each->*look).kelvin)));
  return boils;
}

void add_attention(Html& html, const Results& results) {
  const Look &in_ethanol = results.twice.ethanol, &in_ether = results.twice.ether;
  html.heading(2, "Who looks at whom");
  html.paragraph(
      "What an atom gives to itself and to the atoms that it is bound to adds up to 1, but for rounding. The "
      "pictures show what the oxygen gives in the first of two looks, on average over the heads, which are "
      "ways to look; the more, the thicker the bond. " +
      first_look_of_oxygen(results) + " " + about_weights(results));
  add_pair(html, {{draw_given_by_oxygen(ethanol, in_ethanol.heads), {}},
                  {draw_given_by_oxygen(dimethyl_ether, in_ether.heads), {}}});
  html.paragraph(
      "After look 1 the oxygen of ethanol knows of C2 and H6, that of dimethyl ether of two carbons, "
      "whatever the weights are. Look 2 passes this on: then H6 knows of C2.");
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
    LineChart chart{"Predicted boiling points with " + result.name + " (°C)", "Joback's estimate (°C)", {}};
    chart.equal_axes = true;
    Series dots{result.name, {}, {}};
    dots.colour = static_cast<int>(charts.size());  // as in the chart of the errors
    for (std::size_t i = 0; i < std::min(most_dots, result.predicted.size()); ++i) {
      // A tip shows what is not rounded with all its decimals.
      const double truth = std::round(10 * celsius(static_cast<double>(test.targets.data()[i]))) / 10;
      const double said = std::round(10 * celsius(result.predicted[i])) / 10;
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

// How far each model is off, and who says the mean of all that was learnt from of every molecule. A phone has
// room for three columns: what the models took stands elsewhere.
void add_errors(Html& html, const Results& results, const MoleculeBatch& test) {
  std::vector<std::vector<std::string>> rows;
  const auto add = [&](const std::string& name, const std::vector<double>& errors) {
    rows.push_back(
        {name, degrees(mean_of(errors)), degrees(*std::max_element(errors.begin(), errors.end()))});
  };
  for (const Result* each : results.all()) add(each->name, each->errors);
  add("always the mean", errors_of_guess(results, test));
  html.table({"model", "mean error", "largest error"}, rows);
}

// How they learn, and what it took, folded.
void add_learning(Html& html, const Results& results) {
  LineChart chart{"Mean error on formulas that were not trained on (°C)", "step", {}};
  chart.log_y = chart.names_at_ends = true;
  for (const Result* each : results.ends()) chart.series.push_back(each->curve.figures(each->name));
  for (const Result* each : {&results.once, &results.averaged}) {
    chart.series.push_back(each->curve.figures(each->name));
    chart.series.back().faint = true;
  }
  const ResultTable costs = table_of_costs(results);
  html.markup("<details><summary>How the error falls, step by step, and what it takes</summary>")
      .paragraph("Each line across stands for ten times the error of the one below.")
      .charts({chart})
      .table(costs.titles(), costs.rows())
      .markup("</details>\n");
}

// What all models and Joback's method say of a tested molecule.
Figures said_of(std::size_t molecule, const Results& results, const MoleculeBatch& test) {
  Figures said{{"Joback's estimate", degrees(celsius(static_cast<double>(test.targets.data()[molecule])))}};
  for (const Result* each : results.all())
    said.emplace_back(each->name, degrees(celsius(each->predicted[molecule])));
  return said;
}

// The molecules of one formula of which the atoms alone say least.
void add_farthest_apart(Html& html, const Results& results, const std::vector<Molecule>& molecules,
                        const MoleculeBatch& test) {
  const auto [high, low] = farthest_apart(molecules);
  if (high == low) return;
  const auto boils = [&](std::size_t i) { return celsius(static_cast<double>(test.targets.data()[i])); };
  html.heading(2, "One formula, boiling points far apart");
  html.paragraph(
      text("Of all tested molecules of one formula these two boil farthest apart by Joback's method, at ",
           degrees(boils(high)), " and ", degrees(boils(low)), "; both are ",
           with_indices(molecules[high].formula()),
           ". Such molecules are made by chance and need not exist. OH and NH₂, filled in pink, hold on to "
           "other molecules, an O between two carbons hardly does; atoms alone must give one answer for "
           "both:"));
  add_pair(html, {{draw_skeleton(molecules[high]), said_of(high, results, test)},
                  {draw_skeleton(molecules[low]), said_of(low, results, test)}});
  std::set<Element> elements(molecules[high].atoms.begin(), molecules[high].atoms.end());
  elements.erase(Element::hydrogen);  // written beside what it is bound to
  html.markup("<p class=\"fits\">" + outlines_legend(elements) + "</p>\n");
}

// "-74.9 + 23.6 + … = 64.4 °C"
std::string sum_of_groups(const Structure& structure) {
  std::string sum = begin_of_sums();
  for (const Group& group : structure.groups) sum += " + " + fixed_text(group.joback, 2);
  return sum + " = " + with_minus(fixed_text(celsius(joback_boiling_point(structure.molecule)), 2)) + " °C";
}

void add_contributions(Html& html, const Results& results) {
  html.heading(2, "What each atom adds");
  html.paragraph(text("Joback's method and the models begin with ", fixed_text(joback_begins_at, 1),
                      " K, or ", begin_of_sums(),
                      " °C, and add to it: the models a number for each atom, Joback's method one for each "
                      "group. It gives ethanol ",
                      sum_of_groups(ethanol), "."));
  html.paragraph("Are the groups found? What the atoms of each add:");
  const ResultTable groups = table_of_groups(results);
  html.table(groups.titles(), groups.rows());
  html.paragraph(how_far_groups_are(results));
  html.paragraph("The pictures show what each atom adds with two looks. " + about_hydrogens(results));
  html.markup("<p>" + tints_legend() + "</p>\n");
  add_pair(html, {{draw_contributions(ethanol, results.twice.ethanol.atoms), {}},
                  {draw_contributions(dimethyl_ether, results.twice.ether.atoms), {}}});
}

}  // namespace

std::string page(const Results& results, const std::vector<Molecule>& molecules, const MoleculeBatch& test,
                 const Settings& settings) {
  Html html;
  html.markup(style).paragraph(
      text("At what temperature does a liquid boil, given the atoms of its molecule and what is bound to "
           "what? Ethanol and dimethyl ether have ",
           one_formula,
           " What is bound to what decides how strongly molecules hold on to each other. The answers to "
           "learn are estimates by Joback's method, which adds up what groups of atoms, such as OH, "
           "contribute: ",
           degrees(celsius(joback_boiling_point(ethanol.molecule))), " for ethanol, ",
           degrees(celsius(joback_boiling_point(dimethyl_ether.molecule))), " for the ether."));
  html.paragraph("What an atom does in each model:").terms(models()).paragraph(after_one_look);
  html.answer(answer(results));
  add_pair(html,
           {{draw_structure(ethanol), said_of(ethanol, ethanol_boils, &Result::ethanol, results)},
            {draw_structure(dimethyl_ether), said_of(dimethyl_ether, ether_boils, &Result::ether, results)}});
  html.markup("<p class=\"fits\">" + outlines_legend({Element::carbon, Element::oxygen, Element::hydrogen}) +
              "</p>\n");
  html.paragraph(
      "A line is a bond; the band marks the difference, what the oxygen is bound to. Both molecules are "
      "among those that the models learn from; other formulas follow below. " +
      about_the_estimate());
  add_attention(html, results);
  html.heading(2, "Formulas that were not trained on");
  html.paragraph("Unlike ethanol and the ether, the molecules of this section are not learnt from.");
  if (const std::string attention = about_attention(results); !attention.empty()) html.paragraph(attention);
  html.charts(predicted_against_true(results, test));
  const std::size_t tested = molecules.size(), dots = std::min(most_dots, tested);
  html.paragraph(
      text("A dot is a molecule; on the dashed line the prediction is right. With atoms alone the dots lie "
           "in rows: all molecules of the same atoms must get the same.",
           dots < tested ? text(" Of the ", grouped_text(static_cast<Index>(tested)), " molecules the first ",
                                dots, " are drawn: more dots would hide one another.")
                         : "",
           " One look and two means are in the table."));
  html.paragraph(
      "To count atoms is worth much, for larger molecules boil at higher temperatures. To compare: “always "
      "the mean” answers with the mean of all molecules to learn from, whatever it is asked.");
  add_errors(html, results, test);
  add_learning(html, results);
  add_farthest_apart(html, results, molecules, test);
  add_contributions(html, results);
  add_places_in_code(html, "molecules",
                     {{"nn/graph/graph_attention.cpp", "attention along bonds"},
                      {"examples/molecules/model.cpp", "the models"},
                      {"nn/data/molecules.cpp", "molecules, and Joback's method"}});
  return html_page(
      question,
      text(grouped_text(settings.steps), " steps of ", settings.batch, " molecules, seed ", settings.seed),
      html);
}
