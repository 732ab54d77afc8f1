// The experiment: models learn boiling points, some with bonds and some without, and are tested.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <gradual/nn/drawing/attention_map.hpp>
#include <gradual/nn/training/learning_curve.hpp>

#include "../page_program.hpp"
#include "model.hpp"

struct Settings : PageSettings {
  gradual::Index steps = 1500, batch = 64, width = 32, heads = 4, most_heavy = 12, tested = 1000;
  double learning_rate = 0.005;
};

/// Each once: a molecule that is drawn again would say nothing new. Throws std::invalid_argument where there
/// are none.
std::vector<gradual::Molecule> test_molecules(const Settings& settings);

/// A batch to train on. Throws std::invalid_argument where there are no molecules for it.
std::vector<gradual::Molecule> learnt_molecules(const Settings& settings, gradual::Random random);

/// What a model says to one molecule.
struct Look {
  double kelvin = 0;
  std::vector<double> atoms = {};                 // what each adds to it
  std::vector<gradual::AttentionMap> heads = {};  // of the first round; none without attention
};

struct Result {
  std::string name;
  gradual::Index parameters;
  gradual::LearningCurve curve = {};
  std::vector<double> predicted = {};  // of the test molecules, in kelvin
  std::vector<double> errors = {};     // of the same, without sign
  Look ethanol = {}, ether = {};
  double mean_learnt = 0;  // of all that was trained on, in kelvin

  double largest_error() const { return *std::max_element(errors.begin(), errors.end()); }
};

/// Of models that look twice along bonds, and once; that average twice along bonds; and that do not see them.
struct Results {
  Result twice, once, averaged, alone;
  std::vector<const Result*> all() const { return {&twice, &once, &averaged, &alone}; }
  // Those that are in colour; the others would hide behind two looks.
  std::vector<const Result*> ends() const { return {&twice, &alone}; }
};

/// Trains them all. Throws std::invalid_argument for bad sizes.
Results run_experiment(const gradual::MoleculeBatch& test, const Settings& settings);

double mean_of(const std::vector<double>& values);

/// The errors of who always says the mean of what was trained on.
std::vector<double> errors_of_guess(const Results& results, const gradual::MoleculeBatch& test);
