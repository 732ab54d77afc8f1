// What the figures of the experiment say: tables, and sentences; one that they do not bear is empty.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <gradual/nn/drawing/result_table.hpp>

#include "experiment.hpp"
#include "structures.hpp"

extern const char *const question, *const one_formula, *const after_one_look;

/// What C₂H₆O boils at where its oxygen stands at the end, and where it stands between its carbons; measured,
/// in °C at 1 atm.
inline constexpr double ethanol_boils = 78.3, ether_boils = -24.8;

double celsius(double kelvin);
/// "−5.4 °C"
std::string degrees(double value);
/// Joback's estimate, in °C.
double estimated(const Structure& structure);
/// Where Joback's method and the models begin, in °C.
std::string begin_of_sums();

/// The models, and what an atom does in each.
std::vector<std::pair<std::string, std::string>> models();

/// What each model says of ethanol and the ether, and how far it is off for formulas that it did not learn
/// from; below it what Joback's method says of the two, and what is measured.
gradual::ResultTable table_of_models(const Results& results);
/// What each model took.
gradual::ResultTable table_of_costs(const Results& results);
/// What the atoms of each group add, by Joback's method and by two models.
gradual::ResultTable table_of_groups(const Results& results);

/// Whether a model is near the estimate for both isomers.
bool tells_isomers_apart(const Result& model);
/// Whether the isomers are told apart, what counts for that, and whether one look is enough.
std::string answer(const Results& results);
/// What the models cannot learn from the estimate.
std::string about_the_estimate();
/// Which part of attention counts for other formulas, and where the other one does.
std::string about_attention(const Results& results);
/// What the oxygen of ethanol makes its mean of in the first of two looks.
std::string first_look_of_oxygen(const Results& results);
/// How far the weights of the oxygens are from equal ones.
std::string about_weights(const Results& results);
/// Whether the groups are found, and why not quite.
std::string how_far_groups_are(const Results& results);
/// Whether a hydrogen is another one where it is bound to something else.
std::string about_hydrogens(const Results& results);

/// The two molecules of one formula that Joback's method sets farthest apart, the one that boils higher
/// first; twice the same where no two have one formula.
std::pair<std::size_t, std::size_t> farthest_apart(const std::vector<gradual::Molecule>& molecules);
