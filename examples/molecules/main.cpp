// molecules: boiling points from atoms and bonds, with attention along the bonds and without.
#include <algorithm>
#include <cmath>
#include <map>

#include <gradual/autograd/operations.hpp>
#include <gradual/core/error.hpp>
#include <gradual/core/files/folder.hpp>
#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/page/page.hpp>
#include <gradual/nn/drawing/result_table.hpp>
#include <gradual/nn/drawing/svg.hpp>
#include <gradual/nn/inspect/attention_pictures.hpp>
#include <gradual/nn/training/learning_curve.hpp>

#include "../page_program.hpp"
#include "../terminal/console.hpp"
#include "../terminal/reporter.hpp"
#include "model.hpp"

using namespace gradual;

namespace {

struct Settings : PageSettings {
  Index steps = 1500, batch = 64, width = 32, heads = 4, most_heavy = 7, tested = 1000;
  double learning_rate = 0.005;
};

// A tenth of all formulas is for testing alone: no model has seen a molecule with these atoms.
bool is_for_testing(const Molecule& molecule) {
  std::uint32_t hash = 2166136261u;  // FNV-1a
  for (const char c : molecule.formula()) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return hash % 10 == 0;
}

std::vector<Molecule> draw_molecules(Index count, bool for_testing, const Settings& settings, Random random) {
  constexpr int patience = 10000;
  std::vector<Molecule> molecules;
  int others = 0;  // in a row
  while (static_cast<Index>(molecules.size()) < count) {
    Molecule molecule = draw_molecule(settings.most_heavy, random.split());
    if (is_for_testing(molecule) == for_testing) {
      molecules.push_back(std::move(molecule));
      others = 0;
    } else if (++others == patience) {
      throw std::invalid_argument(text("there must be formulas to train and others to test on: up to ",
                                       settings.most_heavy,
                                       " atoms besides hydrogen do not make both; more atoms help"));
    }
  }
  return molecules;
}

// C₂H₆O, which boils at 78 °C where the oxygen stands at the end, and at -24 °C where it stands between.
const Element H = Element::hydrogen, C = Element::carbon, O = Element::oxygen;
const Molecule ethanol{{C, C, O, H, H, H, H, H, H},
                       {{0, 1}, {1, 2}, {0, 3}, {0, 4}, {0, 5}, {1, 6}, {1, 7}, {2, 8}}};
const Molecule dimethyl_ether{{C, O, C, H, H, H, H, H, H},
                              {{0, 1}, {1, 2}, {0, 3}, {0, 4}, {0, 5}, {2, 6}, {2, 7}, {2, 8}}};

constexpr const char* one_formula =
    "Ethanol and dimethyl ether have the same formula, C₂H₆O: atoms alone must give both the same.";

double celsius(double kelvin) { return kelvin - 273.15; }

struct Result {
  std::string name;
  Index parameters;
  LearningCurve curve = {};
  double largest_error = 0, ethanol = 0, ether = 0;
  AttentionPictures pictures = {};             // of ethanol; empty without attention
  std::vector<AttentionMap> first_round = {};  // its heads
};

std::vector<double> errors_of(const MoleculeModel& model, const MoleculeBatch& batch) {
  const NoGrad no_grad;
  const Tensor predicted = model(batch).value();
  std::vector<double> errors;
  for (Index i = 0; i < predicted.size(); ++i)
    errors.push_back(std::abs(static_cast<double>(predicted.data()[i] - batch.targets.data()[i])));
  return errors;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

// "C1", "C2", "O1", …
std::vector<std::string> atom_names(const Molecule& molecule) {
  std::map<Element, int> seen;
  std::vector<std::string> names;
  for (const Element atom : molecule.atoms) names.push_back(symbol_of(atom) + std::to_string(++seen[atom]));
  return names;
}

Result train(const std::string& name, Rounds rounds, const MoleculeBatch& test, const Settings& settings) {
  MoleculeModel model(settings.width, settings.heads, rounds, Random(settings.seed));
  Adam adam(parameters(model));
  Trainer trainer(model, adam, {Decay::cosine, settings.learning_rate, settings.steps / 20, settings.steps});
  show_progress(trainer, settings.steps, name, settings.json);
  Random molecules(settings.seed + 1);
  Result result{name, count(parameters(model))};
  result.curve.follow(trainer, 20, [&] { return mean_of(errors_of(model, test)); });
  trainer.run([&](Index) {
    const MoleculeBatch batch =
        make_batch(draw_molecules(settings.batch, false, settings, molecules.split()));
    const Var error = (model(batch) - batch.targets) / Real(100);
    return mean(error * error);
  });
  const std::vector<double> errors = errors_of(model, test);
  result.largest_error = *std::max_element(errors.begin(), errors.end());

  const NoGrad no_grad;
  AttentionRecorder recorder;
  result.ethanol = model(make_batch({ethanol})).value().item();
  if (rounds == Rounds::attention) {
    result.pictures = draw_attention(recorder.recorded(), atom_names(ethanol));
    result.first_round =
        attention_maps(recorder.recorded().front().weights, atom_names(ethanol), atom_names(ethanol));
  }
  result.ether = model(make_batch({dimethyl_ether})).value().item();
  return result;
}

// Ethanol on paper. Each bond is as thick as what its two atoms give to one another, on average over the
// heads of the first round.
std::string draw_ethanol(const std::vector<AttentionMap>& heads, const std::vector<std::string>& names) {
  constexpr double step = 84, radius = 17, margin = 34;
  const std::vector<std::pair<double, double>> places = {
      {1, 1}, {2, 1}, {3, 1}, {0, 1}, {1, 0}, {1, 2}, {2, 0}, {2, 2}, {4, 1}};  // of the atoms of `ethanol`
  const auto x_of = [&](Index atom) { return margin + step * places[static_cast<std::size_t>(atom)].first; };
  const auto y_of = [&](Index atom) { return margin + step * places[static_cast<std::size_t>(atom)].second; };
  Svg svg(4 * step + 2 * margin, 2 * step + 2 * margin, "molecule",
          "Ethanol, its bonds as thick as the attention along them");
  svg.open("g", {{"class", "edges"}, {"stroke", "#173ea5"}});
  for (const auto& [a, b] : ethanol.bonds) {
    double given = 0;
    for (const AttentionMap& head : heads)
      given += (head.weight(static_cast<std::size_t>(a), static_cast<std::size_t>(b)) +
                head.weight(static_cast<std::size_t>(b), static_cast<std::size_t>(a))) /
               static_cast<double>(2 * heads.size());
    svg.element("line",
                {{"x1", x_of(a)},
                 {"y1", y_of(a)},
                 {"x2", x_of(b)},
                 {"y2", y_of(b)},
                 {"stroke-width", 1.5 + 14 * given},
                 {"stroke-opacity", 0.75}},
                names[static_cast<std::size_t>(a)] + " – " + names[static_cast<std::size_t>(b)] + ": " +
                    fixed_text(given, 2));
  }
  svg.close();
  svg.open("g", {{"font-size", 14}, {"text-anchor", "middle"}});
  for (Index atom = 0; atom < static_cast<Index>(places.size()); ++atom) {
    const Element kind = ethanol.atoms[static_cast<std::size_t>(atom)];
    svg.element("circle", {{"class", "paper " + std::string(kind == O   ? "s1"
                                                            : kind == C ? "s0"
                                                                        : "s5")},
                           {"cx", x_of(atom)},
                           {"cy", y_of(atom)},
                           {"r", radius},
                           {"style", "fill:var(--card,#fff);stroke-width:2"}});
    svg.text(x_of(atom), y_of(atom) + 5, names[static_cast<std::size_t>(atom)]);
  }
  svg.close();
  return svg.finish();
}

std::string page(const std::vector<Result>& results, const ResultTable& table, const Settings& settings) {
  Html html;
  html.paragraph(
      "A liquid boils at a higher temperature the more strongly its molecules hold on to each other, and "
      "that depends on what is bound to what. The boiling points here are those of Joback's method (1987), "
      "an estimate that adds up contributions of groups such as -OH. One model lets atoms look at what they "
      "are bound to, twice; the other sees each atom alone.");
  LineChart chart{"Mean error on formulas that were not trained on (°C)", "step", {}};
  for (const Result& each : results) chart.series.push_back(each.curve.figures(each.name));
  html.table(table.titles(), table.rows()).paragraph(one_formula).charts({chart});
  html.heading(2, "Who looks at whom in ethanol");
  html.paragraph("C1 carries three hydrogens (H1 to H3), C2 two (H4, H5) and the oxygen, which carries H6.");
  html.picture(draw_ethanol(results.front().first_round, atom_names(ethanol)),
               "Each bond is as thick as what its two atoms give to one another in the first round.");
  html.picture(
      results.front().pictures.maps,
      "Each row is an atom that looks, each column one that it may look at: itself and what it is bound "
      "to. All else is empty, so the rounds differ little; but in the second one, an atom's "
      "neighbours have heard of theirs.");
  html.pictures(results.front().pictures.graphs);
  return html_page("Molecules",
                   text(settings.steps, " steps of ", settings.batch, " new molecules, seed ", settings.seed),
                   html);
}

void run(const Settings& settings) {
  make_folder(settings.out);
  const MoleculeBatch test =
      make_batch(draw_molecules(settings.tested, true, settings, Random(settings.seed + 1000003)));
  const std::vector<Result> results = {train("attention along bonds", Rounds::attention, test, settings),
                                       train("each atom alone", Rounds::none, test, settings)};
  ResultTable table({{"model", "", 0, "", 21},
                     {"parameters", "parameters", 0, "", 6},
                     {"cpu_seconds", "CPU\ntime", 1, " s"},
                     {"mean_error", "mean\nerror", 1, " °C"},
                     {"largest_error", "largest\nerror", 1, " °C", 8},
                     {"ethanol", "ethanol", 1, " °C"},
                     {"dimethyl_ether", "dimethyl\nether", 1, " °C"}});
  table.within(static_cast<std::size_t>(output_columns()));
  for (const Result& each : results)
    table.add({each.name, each.parameters, each.curve.processor_seconds(), each.curve.figure(),
               each.largest_error, celsius(each.ethanol), celsius(each.ether)});
  if (settings.json) std::cout << table.json() << std::endl;
  table.add({"Joback's: the target",
             {},
             {},
             0.0,
             0.0,
             celsius(joback_boiling_point(ethanol)),
             celsius(joback_boiling_point(dimethyl_ether))});
  if (!settings.json) std::cout << table.lines() << "\n" << wrapped_for_output(one_formula) << "\n";
  leave_page(settings, page(results, table, settings));
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
