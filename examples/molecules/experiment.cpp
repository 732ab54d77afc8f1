#include "experiment.hpp"

#include <cmath>
#include <set>
#include <utility>

#include <gradual/autograd/operations.hpp>
#include <gradual/core/error.hpp>
#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/inspect/attention_pictures.hpp>

#include "../terminal/reporter.hpp"
#include "structures.hpp"

using namespace gradual;

namespace {

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

Result train(const std::string& name, const std::vector<Round>& rounds, const MoleculeBatch& test,
             const Settings& settings) {
  MoleculeModel model(settings.width, settings.heads, rounds, Random(settings.seed));
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
    if (!recorder.recorded().empty())
      look.heads =
          attention_maps(recorder.recorded().front().weights, atom_names(molecule), atom_names(molecule));
    return look;
  };
  result.ethanol = look_at(ethanol.molecule);
  result.ether = look_at(dimethyl_ether.molecule);
  return result;
}

}  // namespace

std::vector<Molecule> test_molecules(const Settings& settings) {
  std::set<std::string> seen;
  return draw_molecules(settings.tested, settings.most_heavy, Random(settings.seed + 1000003),
                        [&](const Molecule& molecule) {
                          return is_for_testing(molecule) && seen.insert(molecule.structure()).second;
                        });
}

std::vector<Molecule> learnt_molecules(const Settings& settings, Random random) {
  return draw_molecules(settings.batch, settings.most_heavy, std::move(random),
                        [](const Molecule& molecule) { return !is_for_testing(molecule); });
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

Results run_experiment(const MoleculeBatch& test, const Settings& settings) {
  return {train("two looks along bonds", {Round::attention, Round::attention}, test, settings),
          train("one look along bonds", {Round::attention, Round::alone}, test, settings),
          train("two means along bonds", {Round::mean, Round::mean}, test, settings),
          train("each atom alone", {Round::alone, Round::alone}, test, settings)};
}

std::vector<double> errors_of_guess(const Results& results, const MoleculeBatch& test) {
  return errors_of(std::vector<double>(results.twice.errors.size(), results.twice.mean_learnt), test);
}
