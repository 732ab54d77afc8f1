// molecules: boiling points from atoms and bonds, with attention along the bonds and without.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <map>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <gradual/autograd/operations.hpp>
#include <gradual/core/error.hpp>
#include <gradual/core/files/atomic_file.hpp>
#include <gradual/core/files/folder.hpp>
#include <gradual/core/threads.hpp>
#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/drawing/page/page.hpp>
#include <gradual/nn/inspect/attention_pictures.hpp>
#include <gradual/nn/training/trainer.hpp>

#include "../command_line.hpp"
#include "model.hpp"

using namespace gradual;

namespace {

struct Settings {
  Index steps = 1500, batch = 64, width = 32, heads = 4, most_heavy = 7, tested = 1000;
  double learning_rate = 0.005;
  std::uint64_t seed = 1;
  int threads = thread_count();
  std::string out = "out/molecules";
  bool json = false;
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

const Molecule& ethanol() {
  const Element H = Element::hydrogen, C = Element::carbon, O = Element::oxygen;
  static const Molecule molecule{{C, C, O, H, H, H, H, H, H},
                                 {{0, 1}, {1, 2}, {0, 3}, {0, 4}, {0, 5}, {1, 6}, {1, 7}, {2, 8}}};
  return molecule;
}

const Molecule& dimethyl_ether() {
  const Element H = Element::hydrogen, C = Element::carbon, O = Element::oxygen;
  static const Molecule molecule{{C, O, C, H, H, H, H, H, H},
                                 {{0, 1}, {1, 2}, {0, 3}, {0, 4}, {0, 5}, {2, 6}, {2, 7}, {2, 8}}};
  return molecule;
}

struct Result {
  std::string name;
  Index parameters;
  double seconds, mean_error, largest_error, ethanol, ether;
  Series curve;
  AttentionPictures pictures;  // of ethanol; empty without attention
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
  Random molecules(settings.seed + 1);
  Result result{name, count(parameters(model)), 0, 0, 0, 0, 0, {name, {}, {}}, {}};
  trainer.times(20, [&](const TrainingStep& now) {
    result.curve.x.push_back(static_cast<double>(now.step));
    result.curve.y.push_back(mean_of(errors_of(model, test)));
  });
  trainer.run([&](Index) {
    const MoleculeBatch batch =
        make_batch(draw_molecules(settings.batch, false, settings, molecules.split()));
    const Var error = (model(batch) - batch.targets) / Real(100);
    return mean(error * error);
  });
  result.seconds = trainer.seconds();
  const std::vector<double> errors = errors_of(model, test);
  result.mean_error = mean_of(errors);
  result.largest_error = *std::max_element(errors.begin(), errors.end());

  const NoGrad no_grad;
  AttentionRecorder recorder;
  result.ethanol = model(make_batch({ethanol()})).value().item();
  if (rounds == Rounds::attention)
    result.pictures = draw_attention(recorder.recorded(), atom_names(ethanol()));
  result.ether = model(make_batch({dimethyl_ether()})).value().item();
  return result;
}

std::string page(const std::vector<Result>& results, const Settings& settings) {
  Html html;
  html.paragraph(
      "A molecule boils the later the better its parts hold together, and that depends on what is bound to "
      "what. "
      "The boiling points here are those of Joback's method (1987), which adds up contributions of groups "
      "such as "
      "-OH. One model lets atoms look at what they are bound to, twice; the other sees each atom alone.");
  std::vector<std::vector<std::string>> rows;
  LineChart chart;
  chart.title = "Mean error on formulas that were not trained on (K)";
  chart.x_label = "step";
  for (const Result& each : results) {
    rows.push_back({each.name, text(each.parameters), fixed_text(each.mean_error, 1) + " K",
                    fixed_text(each.largest_error, 1) + " K", fixed_text(each.ethanol, 1) + " K",
                    fixed_text(each.ether, 1) + " K"});
    chart.series.push_back(each.curve);
  }
  rows.push_back({"Joback", "", "", "", fixed_text(joback_boiling_point(ethanol()), 1) + " K",
                  fixed_text(joback_boiling_point(dimethyl_ether()), 1) + " K"});
  html.table({"Model", "Parameters", "Mean error", "Largest", "Ethanol", "Dimethyl ether"}, rows)
      .charts({chart});
  html.heading(2, "Who looks at whom in ethanol");
  html.paragraph("C1 carries three hydrogens (H1 to H3), C2 two (H4, H5) and the oxygen, which carries H6.");
  html.picture(results.front().pictures.maps).pictures(results.front().pictures.graphs);
  return html_page("Molecules",
                   text(settings.steps, " steps of ", settings.batch, " new molecules, seed ", settings.seed),
                   html);
}

void run(const Settings& settings) {
  set_thread_count(settings.threads);
  const MoleculeBatch test =
      make_batch(draw_molecules(settings.tested, true, settings, Random(settings.seed + 1000003)));
  const std::vector<Result> results = {train("attention along bonds", Rounds::attention, test, settings),
                                       train("each atom alone", Rounds::none, test, settings)};
  make_folder(settings.out);
  const std::string file = settings.out + "/page.html";
  write_file_atomically(file, page(results, settings));
  if (settings.json) {
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (const Result& each : results)
      json.push_back({{"model", each.name},
                      {"parameters", each.parameters},
                      {"seconds", each.seconds},
                      {"mean_error", each.mean_error},
                      {"largest_error", each.largest_error},
                      {"ethanol", each.ethanol},
                      {"dimethyl_ether", each.ether}});
    std::cout << json.dump() << std::endl;
    return;
  }
  std::printf("%-24s%12s%10s%14s%12s%12s%16s\n", "", "parameters", "time", "mean error", "largest", "ethanol",
              "dimethyl ether");
  for (const Result& each : results)
    std::printf("%-24s%12lld%8.1f s%12.1f K%10.1f K%10.1f K%14.1f K\n", each.name.c_str(),
                static_cast<long long>(each.parameters), each.seconds, each.mean_error, each.largest_error,
                each.ethanol, each.ether);
  std::printf("%-24s%46s%12.1f K%14.1f K\npage  %s\n", "Joback's method", "", joback_boiling_point(ethanol()),
              joback_boiling_point(dimethyl_ether()), file.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app(
      "Trains models to tell the boiling points of small molecules, with attention along bonds and without.");
  const auto add = [&](const char* name, auto& value, const char* description) {
    app.add_option(name, value, description)->transform(above_zero(value))->capture_default_str();
  };
  add("--steps", settings.steps, "training steps");
  add("--batch", settings.batch, "molecules in a step");
  add("--atoms", settings.most_heavy, "the most atoms besides hydrogen");
  add("--tested", settings.tested, "molecules to test on");
  add("--width", settings.width, "numbers that stand for an atom");
  add("--heads", settings.heads, "heads of a round; they divide the width");
  add("--learning-rate", settings.learning_rate, "its peak");
  add_seed(app, settings.seed, "of weights and molecules");
  add("--threads", settings.threads, "threads");
  app.add_option("--out", settings.out, "folder for the page")->capture_default_str();
  app.add_flag("--json", settings.json, "print one JSON line");
  return run_program("molecules", app, [&] {
    app.parse(argc, argv);
    run(settings);
  });
}
