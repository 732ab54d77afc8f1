// molecules: boiling points from atoms and bonds, with attention along the bonds and without.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include <gradual/autograd/operations.hpp>
#include <gradual/core/error.hpp>
#include <gradual/core/files/folder.hpp>
#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/page/page.hpp>
#include <gradual/nn/drawing/result_table.hpp>
#include <gradual/nn/inspect/attention_pictures.hpp>
#include <gradual/nn/training/learning_curve.hpp>

#include "../page_program.hpp"
#include "../terminal/console.hpp"
#include "../terminal/reporter.hpp"
#include "model.hpp"
#include "structures.hpp"

using namespace gradual;

namespace {

struct Settings : PageSettings {
  Index steps = 1500, batch = 64, width = 32, heads = 4, most_heavy = 12, tested = 1000;
  double learning_rate = 0.005;
};

// A tenth of all formulas is for testing alone: no model has seen a molecule with these atoms.
bool is_for_testing(const Molecule& molecule) {
  std::uint32_t hash = 2166136261u;  // FNV-1a
  for (const char c : molecule.formula()) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return hash % 10 == 0;
}

// Molecules that `wanted` takes: `count` of them, or as many as are found with patience.
template <class Wanted>
std::vector<Molecule> draw_molecules(Index count, Index most_heavy, Random random, Wanted wanted) {
  constexpr int patience = 10000;
  std::vector<Molecule> molecules;
  int refused = 0;  // in a row
  while (static_cast<Index>(molecules.size()) < count && refused < patience) {
    Molecule molecule = draw_molecule(most_heavy, random.split());
    refused = wanted(molecule) ? 0 : refused + 1;
    if (refused == 0) molecules.push_back(std::move(molecule));
  }
  if (molecules.empty())
    throw std::invalid_argument(text("there must be formulas to train and others to test on: up to ",
                                     most_heavy,
                                     " atoms besides hydrogen do not make both; more atoms help"));
  return molecules;
}

// Each once: a molecule that is drawn again would say nothing new.
std::vector<Molecule> test_molecules(const Settings& settings) {
  std::set<std::string> seen;
  return draw_molecules(settings.tested, settings.most_heavy, Random(settings.seed + 1000003),
                        [&](const Molecule& molecule) {
                          return is_for_testing(molecule) && seen.insert(molecule.structure()).second;
                        });
}

// A batch to train on.
std::vector<Molecule> learnt_molecules(const Settings& settings, Random random) {
  return draw_molecules(settings.batch, settings.most_heavy, std::move(random),
                        [](const Molecule& molecule) { return !is_for_testing(molecule); });
}

// C₂H₆O, which boils at 78.3 °C where the oxygen stands at the end, and at -24.8 °C where it stands between.
constexpr double ethanol_boils = 78.3, ether_boils = -24.8;  // measured, at 1 atm
double celsius(double kelvin) { return kelvin - 273.15; }

std::string one_formula() {
  const auto error = [](const Structure& each, double boils) {
    return fixed_text(std::abs(celsius(joback_boiling_point(each.molecule)) - boils), 0) + " °C";
  };
  return "Ethanol and dimethyl ether have the same formula, C₂H₆O: atoms alone must give both the same. What "
         "is to be learnt is the estimate of Joback and Reid (1987), which itself errs: by " +
         error(ethanol, ethanol_boils) + " for ethanol, by " + error(dimethyl_ether, ether_boils) +
         " for dimethyl ether.";
}

std::string introduction(Index tested) {
  return text(
      "The task: at what temperature does a liquid boil, by Joback's estimate, given\n"
      "the atoms of its molecule and what is bound to what?\n\n  CH₃–CH₂–OH, ethanol        →  ",
      fixed_text(celsius(joback_boiling_point(ethanol.molecule)), 1), " °C\n  CH₃–O–CH₃, dimethyl ether  →  ",
      with_minus(fixed_text(celsius(joback_boiling_point(dimethyl_ether.molecule)), 1)),
      " °C\n\n"
      "The answers to learn are estimates by Joback's method, which adds up what groups\n"
      "of atoms, such as OH, contribute. The models have two layers. In a layer that\n"
      "looks, attention lets an atom see itself and the atoms that it is bound to:\n"
      "after one look an O knows whether an H or two carbons are beside it, after two\n"
      "what is beside those. Without a look each atom stays alone. Is one look enough?\n\n"
      "Tested on ",
      grouped_text(tested), " molecules, no two alike, of formulas not trained on.\n");
}

// What a model says to one molecule.
struct Look {
  double kelvin = 0;
  std::vector<double> atoms = {};        // what each adds to it
  std::vector<AttentionMap> heads = {};  // of the first round; none without attention
};

struct Result {
  std::string name;
  Index parameters;
  LearningCurve curve = {};
  std::vector<double> predicted = {};  // of the test molecules, in kelvin
  std::vector<double> errors = {};     // of the same, without sign
  Look ethanol = {}, ether = {};
  double mean_learnt = 0;  // of all that was trained on, in kelvin

  double largest_error() const { return *std::max_element(errors.begin(), errors.end()); }
};

std::vector<double> predictions(const MoleculeModel& model, const MoleculeBatch& batch) {
  const NoGrad no_grad;
  const Tensor predicted = model(batch).value();
  return {predicted.data(), predicted.data() + predicted.size()};
}

std::vector<double> errors_of(const std::vector<double>& predicted, const MoleculeBatch& batch) {
  std::vector<double> errors;
  for (std::size_t i = 0; i < predicted.size(); ++i)
    errors.push_back(std::abs(predicted[i] - static_cast<double>(batch.targets.data()[i])));
  return errors;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

Result train(const std::string& name, Index looks, const MoleculeBatch& test, const Settings& settings) {
  MoleculeModel model(settings.width, settings.heads, looks, Random(settings.seed));
  Adam adam(parameters(model));
  Trainer trainer(model, adam, {Decay::cosine, settings.learning_rate, settings.steps / 20, settings.steps});
  show_progress(trainer, settings.steps, name, settings.json);
  Random molecules(settings.seed + 1);
  Result result{name, count(parameters(model))};
  result.curve.follow(trainer, 20, [&] { return mean_of(errors_of(predictions(model, test), test)); });
  trainer.run([&](Index) {
    const MoleculeBatch batch = make_batch(learnt_molecules(settings, molecules.split()));
    result.mean_learnt +=
        mean_of({batch.targets.begin(), batch.targets.end()}) / static_cast<double>(settings.steps);
    const Var error = (model(batch) - batch.targets) / Real(100);
    return mean(error * error);
  });
  result.predicted = predictions(model, test);
  result.errors = errors_of(result.predicted, test);
  const NoGrad no_grad;
  const auto look_at = [&](const Molecule& molecule) {
    const AttentionRecorder recorder;
    const MoleculeBatch batch = make_batch({molecule});
    const Tensor atoms = model.contributions(batch).value();
    Look look{predictions(model, batch).front(), {atoms.begin(), atoms.end()}};
    if (looks > 0)
      look.heads =
          attention_maps(recorder.recorded().front().weights, atom_names(molecule), atom_names(molecule));
    return look;
  };
  result.ethanol = look_at(ethanol.molecule);
  result.ether = look_at(dimethyl_ether.molecule);
  return result;
}

// Of models that look twice along bonds, once, and never.
struct Results {
  Result twice, once, alone;
  // On the page, where one look would hide behind two.
  std::vector<const Result*> ends() const { return {&twice, &alone}; }
};

// The errors of who always says the mean of what was trained on.
std::vector<double> errors_of_guess(const Results& results, const MoleculeBatch& test) {
  return errors_of(std::vector<double>(results.twice.errors.size(), results.twice.mean_learnt), test);
}

// The result in a sentence.
std::string finding(const Results& results, const std::vector<Molecule>& molecules,
                    const MoleculeBatch& test) {
  std::set<std::string> formulas;
  for (const Molecule& each : molecules) formulas.insert(each.formula());
  const auto degrees = [](const std::vector<double>& errors) {
    return fixed_text(mean_of(errors), 1) + " °C";
  };
  const bool once_does = 5 * mean_of(results.once.errors) < mean_of(results.alone.errors);
  return text("Two looks along bonds err by ", degrees(results.twice.errors), " on average, one look by ",
              degrees(results.once.errors), ", each atom alone by ", degrees(results.alone.errors),
              ", and the guess, always the mean, by ", degrees(errors_of_guess(results, test)), ", on ",
              grouped_text(static_cast<Index>(molecules.size())), " molecules, no two alike, of ",
              grouped_text(static_cast<Index>(formulas.size())), " formulas that were not trained on.",
              once_does ? " One look does most of it, for a group is an atom and what is bound to it." : "");
}

// What the atoms of a group add.
double added(const Group& group, const Look& look) {
  double sum = 0;
  for (const Index atom : group.atoms) sum += look.atoms[static_cast<std::size_t>(atom)];
  return sum;
}

// Whether the models tell one hydrogen from another, and find the group that it belongs to.
std::string group_finding(const Results& results) {
  const auto degrees = [](double value) { return fixed_text(value, 1) + " °C"; };
  const auto adds = [&](const Result& by, std::size_t atom) { return degrees(by.ethanol.atoms[atom]); };
  constexpr std::size_t on_carbon = 3, on_oxygen = 8;  // H1 and H6
  const Group& oh = ethanol.groups.back();
  return with_minus(
      text("Models and method begin at 198 K, or −75 °C, and add something for each atom, or group. Does "
           "attention "
           "tell one hydrogen of ethanol from another? With two looks the one of OH adds ",
           adds(results.twice, on_oxygen), ", one that is bound to a carbon ", adds(results.twice, on_carbon),
           "; where each atom is alone, every hydrogen adds ", adds(results.alone, on_oxygen),
           ". And does it find the group? O and H of OH add ", degrees(added(oh, results.twice.ethanol)),
           " together, in Joback's method ", degrees(oh.joback), "."));
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
    LineChart chart{"Predicted (°C)", "Joback's estimate (°C)", {}};
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
  html.heading(3, "Where atoms alone are farthest off");
  html.paragraph(
      "Of the formulas where they err most, the worst molecule each: its longest chain, with branches in "
      "parentheses. The same atoms can stand in groups that hold on to other molecules, such as OH and NH₂, "
      "or in others, such as an O between two carbons, and in a straight chain or a branched one: atoms "
      "alone must give one answer for all of them.");
  html.table({"molecule", "formula", "Joback's", results.twice.name, results.alone.name}, rows);
}

// Whether the groups are found: what the atoms of each add, beside what is right.
void add_contributions(Html& html, const Results& results) {
  const Result &attending = results.twice, &alone = results.alone;
  html.heading(2, "What each atom adds").paragraph(group_finding(results));
  html.paragraph(
      "The pictures show what the atoms add with two looks along bonds, in °C; the table sums it over the "
      "atoms of each group. How the atoms of a molecule share what they add is their own affair, for only "
      "the "
      "sum is taught.");
  html.markup(atoms_legend());
  html.pictures({draw_contributions(ethanol, attending.ethanol.atoms),
                 draw_contributions(dimethyl_ether, attending.ether.atoms)});
  std::vector<std::vector<std::string>> rows;
  const auto add = [&](const Structure& structure, const Look& seen, const Look& blind) {
    for (const Group& group : structure.groups)
      rows.push_back({structure.name + ": " + group.name, fixed_text(group.joback, 1) + " °C",
                      fixed_text(added(group, seen), 1) + " °C", fixed_text(added(group, blind), 1) + " °C"});
  };
  add(ethanol, attending.ethanol, alone.ethanol);
  add(dimethyl_ether, attending.ether, alone.ether);
  html.table({"group", "Joback's", attending.name, alone.name}, rows);
}

void add_attention(Html& html, const Result& attending) {
  html.heading(2, "Who looks at whom");
  html.paragraph(
      "What an atom gives to itself and to the atoms that it is bound to adds up to 1. What the oxygen gives "
      "in the first round, on average over the heads; the more, the thicker the bond:");
  const auto row_of = [](const Structure& structure, const Look& look) {
    std::vector<std::string> row = given_by_oxygen(structure, look.heads);
    row.insert(row.begin(), structure.name);
    return row;
  };
  html.pictures({draw_given_by_oxygen(ethanol, attending.ethanol.heads),
                 draw_given_by_oxygen(dimethyl_ether, attending.ether.heads)});
  html.table({"the oxygen of", "gives itself", "gives others", "together"},
             {row_of(ethanol, attending.ethanol), row_of(dimethyl_ether, attending.ether)});
  html.paragraph(
      "So the sum that the oxygen makes of its neighbours is another in each. In the second round the atoms "
      "that are bound to it hear of this sum: in ethanol C2 and H6. Those two bonds away, C1, H4 and H5, "
      "hear "
      "through C2 only that an oxygen is there, and H1, H2 and H3 not even that.");
}

std::string page(const Results& results, const ResultTable& table, const std::vector<Molecule>& molecules,
                 const MoleculeBatch& test, const Settings& settings) {
  Html html;
  html.paragraph(
      "A liquid boils at a higher temperature the more strongly its molecules hold on to each other, and "
      "that depends on what is bound to what. Two models learn boiling points as Joback's method gives them, "
      "an estimate that adds up contributions of groups such as OH. One lets atoms look at what they are "
      "bound to, twice; the other sees each atom alone. A third looks once, which is about enough, for a "
      "group is an atom and what is bound to it.");
  html.paragraph(finding(results, molecules, test) + " " + one_formula());
  html.table(table.titles(), table.rows());
  LineChart chart{"Mean error on formulas that were not trained on (°C)", "step", {}};
  chart.from_zero = true;
  for (const Result* each : results.ends()) chart.series.push_back(each->curve.figures(each->name));
  html.charts(predicted_against_true(results, test));
  const std::size_t tested = molecules.size(), dots = std::min(most_dots, tested);
  html.paragraph(
      text("A dot is a molecule, in the colour that its model has in all charts; on the dashed line the "
           "prediction is right. Atoms alone leave it "
           "in rows: to all molecules of the same atoms they must give the same.",
           dots < tested ? text(" Of the ", grouped_text(static_cast<Index>(tested)), " molecules the first ",
                                dots, " are drawn: more dots would hide one another.")
                         : ""));
  html.charts({chart});
  add_worst(html, results, molecules, test);
  add_contributions(html, results);
  add_attention(html, results.twice);
  return html_page("Can it tell ethanol from dimethyl ether?",
                   text(settings.steps, " steps of ", settings.batch, " new molecules, seed ", settings.seed),
                   html);
}

void run(const Settings& settings) {
  make_folder(settings.out);
  const std::vector<Molecule> molecules = test_molecules(settings);
  const MoleculeBatch test = make_batch(molecules);
  MoleculeModel(settings.width, settings.heads, 2, Random(0));  // no words above an error
  learnt_molecules(settings, Random(0));
  say_task(settings, introduction(static_cast<Index>(molecules.size())));
  const Results results = {train("two looks along bonds", 2, test, settings),
                           train("one look along bonds", 1, test, settings),
                           train("each atom alone", 0, test, settings)};
  ResultTable table({{"model", "", 0, "", 21},
                     {"parameters", "parameters", 0, "", 6},
                     {"cpu_seconds", "CPU\ntime", 1, " s"},
                     {"mean_error", "mean\nerror", 1, " °C", 8},
                     {"largest_error", "largest\nerror", 1, " °C", 8},
                     {"ethanol", "ethanol", 1, " °C", 8, "boiling point of"},
                     {"dimethyl_ether", "dimethyl\nether", 1, " °C", 8, "boiling point of"}});
  table.within(static_cast<std::size_t>(output_columns()));
  for (const Result* each : {&results.twice, &results.once, &results.alone})
    table.add({each->name, each->parameters, each->curve.processor_seconds(), each->curve.figure(),
               each->largest_error(), celsius(each->ethanol.kelvin), celsius(each->ether.kelvin)});
  if (settings.json) std::cout << table.json() << std::endl;
  const std::vector<double> guess = errors_of_guess(results, test);
  const double mean = celsius(results.twice.mean_learnt);
  table.add(
      {"always the mean", {}, {}, mean_of(guess), *std::max_element(guess.begin(), guess.end()), mean, mean});
  table.part().add({"Joback's: the target",
                    {},
                    {},
                    {},
                    {},
                    celsius(joback_boiling_point(ethanol.molecule)),
                    celsius(joback_boiling_point(dimethyl_ether.molecule))});
  table.add({"measured", {}, {}, {}, {}, ethanol_boils, ether_boils});
  if (!settings.json)
    std::cout << with_minus(table.lines()) << "\n"
              << wrapped_for_output(finding(results, molecules, test) + "\n\n" + group_finding(results) +
                                    "\n\n" + one_formula())
              << "\n\n";
  leave_page(settings, page(results, table, molecules, test, settings));
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  PageProgram program(
      "molecules",
      "Trains models to tell the boiling points of small molecules, with attention along bonds "
      "and without.",
      settings);
  const Options& add = program.options;
  add.positive("steps", settings.steps, "training steps");
  add.positive("batch", settings.batch, "molecules in a step");
  add.positive("atoms", settings.most_heavy, "the most atoms besides hydrogen");
  add.positive("tested", settings.tested, "molecules to test on");
  add.positive("width", settings.width, "numbers that stand for an atom");
  add.positive("heads", settings.heads, "heads of a round; they divide the width");
  add.positive("learning-rate", settings.learning_rate, "its peak");
  return program.run(argc, argv, "of weights and molecules", [&] { run(settings); });
}
