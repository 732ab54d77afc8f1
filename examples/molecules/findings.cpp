#include "findings.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/drawing/number_text.hpp>

using namespace gradual;

const char* const question = "Can a model tell ethanol from dimethyl ether?";
const char* const one_formula = "the same formula, C₂H₆O: atoms alone must give both the same.";
const char* const after_one_look =
    "After one look or mean an O knows whether a carbon and an H are beside it, or two carbons.";

namespace {

// Of the models that see bonds, by more than a fifth of what atoms alone err by.
bool bonds_are_learnt(const Results& results) {
  const double worst = std::max(
      {mean_of(results.twice.errors), mean_of(results.once.errors), mean_of(results.averaged.errors)});
  return 5 * worst <= mean_of(results.alone.errors);
}

// Whether it errs as two looks do, as far as that matters beside what bonds are worth.
bool is_like_two_looks(const Result& model, const Results& results) {
  return std::abs(mean_of(model.errors) - mean_of(results.twice.errors)) < mean_of(results.alone.errors) / 20;
}

// What the atoms of a group add.
double added(const Group& group, const Look& look) {
  double sum = 0;
  for (const Index atom : group.atoms) sum += look.atoms[static_cast<std::size_t>(atom)];
  return sum;
}

// As tables show it: what is said of differences must not contradict them.
double rounded(double value) { return std::round(10 * value) / 10; }

// How much more the atoms of a group add than is right, as tables show both.
double too_much(const Group& group, const Look& look) {
  return rounded(added(group, look)) - rounded(group.joback);
}

// An isomer, and what two models make of it.
struct Seen {
  const char* name;
  const Structure& structure;
  const Look &twice, &alone;
};

std::vector<Seen> isomers_seen(const Results& results) {
  return {{"ethanol", ethanol, results.twice.ethanol, results.alone.ethanol},
          {"dimethyl ether", dimethyl_ether, results.twice.ether, results.alone.ether}};
}

// The group that a model is farthest off for: of which isomer, which, and by how much.
struct Farthest {
  const Seen* isomer = nullptr;
  const Group* group = nullptr;
  double off = 0;
};

Farthest farthest(const std::vector<Seen>& isomers, const Look& (*look)(const Seen&)) {
  Farthest found;
  for (const Seen& isomer : isomers)
    for (const Group& group : isomer.structure.groups)
      if (const double off = std::abs(too_much(group, look(isomer))); off > found.off)
        found = {&isomer, &group, off};
  return found;
}

const Look& by_two_looks(const Seen& isomer) { return isomer.twice; }
const Look& by_alone(const Seen& isomer) { return isomer.alone; }

// Groups of an isomer that are off to the same side, and by how much together.
struct Side {
  std::vector<std::string> groups = {};
  double off = 0;
  void add(const std::string& group, double by) {
    const auto same = std::find(groups.begin(), groups.end(), group);
    if (same == groups.end())
      groups.push_back(group);
    else
      *same = "both " + group + " together";
    off += std::abs(by);
  }
  std::string text() const { return list_text(groups, " and ") + " " + degrees(off); }
};

// Why a group is off, where what it has too much others of its molecule lack, so that their sum is much
// nearer.
std::string why_groups_are_off(const Farthest& most) {
  if (most.group == nullptr) return "";
  Side more, less;
  for (const Group& group : most.isomer->structure.groups) {
    const double off = too_much(group, most.isomer->twice);
    (off > 0 ? more : less).add(group.name, off);
  }
  const double sum = std::abs(more.off - less.off);
  if (2 * sum >= most.off) return "";
  return text(" Only the sum over all atoms is taught, so what one group has too much another may lack: in ",
              most.isomer->name, " ", more.text(), " too much, ", less.text(), " too little, ", degrees(sum),
              " in the sum.");
}

// Whether one look is enough.
std::string about_one_look(const Results& results) {
  if (!bonds_are_learnt(results) || !is_like_two_looks(results.once, results)) return "";
  const double once = mean_of(results.once.errors);
  return text(once < mean_of(results.twice.errors) ? "One look is enough (" : "One look is nearly enough (",
              degrees(once), "), since most groups are just one atom and its neighbours.");
}

// How far a model is off the estimate for the isomers, at most.
double farthest_of_isomers(const Result& model) {
  return std::max(std::abs(celsius(model.ethanol.kelvin) - estimated(ethanol)),
                  std::abs(celsius(model.ether.kelvin) - estimated(dimethyl_ether)));
}

// How far the models that see bonds are off the estimate for the isomers, at most.
double farthest_of_isomers(const Results& results) {
  return std::max({farthest_of_isomers(results.twice), farthest_of_isomers(results.once),
                   farthest_of_isomers(results.averaged)});
}

constexpr double near = 5;  // to the estimate, in °C

}  // namespace

double celsius(double kelvin) { return kelvin - 273.15; }

std::string degrees(double value) { return with_minus(fixed_text(value, 1)) + " °C"; }

double estimated(const Structure& structure) { return celsius(joback_boiling_point(structure.molecule)); }

std::string begin_of_sums() { return with_minus(fixed_text(celsius(joback_begins_at), 2)); }

std::vector<std::pair<std::string, std::string>> models() {
  return {{"two looks along bonds",
           "attention: a mean of itself and what it is bound to, by weights that it chooses, twice"},
          {"one look along bonds", "the same, once"},
          {"two means along bonds", "the mean of these atoms, all with equal weight, twice"},
          {"each atom alone", "it sees no other"}};
}

ResultTable table_of_models(const Results& results) {
  const std::string boils = "boiling point of", off = "errors on others";
  ResultTable table({{"model", "", 0, "", 21},
                     {"ethanol", "ethanol", 1, " °C", 8, boils},
                     {"dimethyl_ether", "dimethyl ether", 1, " °C", 8, boils},
                     {"mean_error", "mean", 1, " °C", 9, off},
                     {"largest_error", "largest", 1, " °C", 9, off}});
  for (const Result* each : results.all())
    table.add({each->name, celsius(each->ethanol.kelvin), celsius(each->ether.kelvin), mean_of(each->errors),
               each->largest_error()});
  table.part().add({"Joback's estimate", estimated(ethanol), estimated(dimethyl_ether), {}, {}});
  return table.add({"measured", ethanol_boils, ether_boils, {}, {}});
}

ResultTable table_of_costs(const Results& results) {
  ResultTable table({{"model", "model"}, {"parameters", "parameters"}, {"cpu_seconds", "CPU time", 1, " s"}});
  for (const Result* each : results.all())
    table.add({each->name, each->parameters, each->curve.processor_seconds()});
  return table;
}

ResultTable table_of_groups(const Results& results) {
  ResultTable table({{"group", "group"},
                     {"joback", "Joback's method", 1, " °C"},
                     {"twice", "two looks", 1, " °C"},
                     {"alone", "each atom alone", 1, " °C"}});
  std::set<std::string> names;  // a group that stands there twice adds the same each time
  for (const Seen& isomer : isomers_seen(results))
    for (const Group& group : isomer.structure.groups)
      if (const std::string name = group.name + " of " + isomer.name; names.insert(name).second)
        table.add({name, group.joback, added(group, isomer.twice), added(group, isomer.alone)});
  return table;
}

bool tells_isomers_apart(const Result& model) { return farthest_of_isomers(model) <= near; }

std::string answer(const Results& results) {
  const double off = farthest_of_isomers(results);
  if (off > near)
    return text("In short: not yet. Models that see bonds are up to ", degrees(off),
                " off the estimate for one of the two.");
  const std::string both =
      text("In short: yes, models that see bonds tell the two apart: they are at most ", degrees(off),
           " off the estimate for both; atoms alone must say one temperature for both, here ",
           degrees(celsius(results.alone.ethanol.kelvin)), ".");
  if (!bonds_are_learnt(results)) return both;
  const std::string chosen = degrees(mean_of(results.twice.errors)), one_look = about_one_look(results);
  return both +
         (is_like_two_looks(results.averaged, results)
              ? text(" How much an atom listens to each neighbour hardly matters: with equal weights "
                     "the mean error on other formulas is ",
                     degrees(mean_of(results.averaged.errors)), ", with chosen ones ", chosen, ".")
              : text(" The mean error of two looks on other formulas is ", chosen, ".")) +
         (one_look.empty() ? "" : " " + one_look);
}

std::string about_the_estimate() {
  const auto off = [](const Structure& structure, double measured) {
    return fixed_text(std::abs(estimated(structure) - measured), 0) + " °C";
  };
  return text("Models learn the estimate, which is itself off by ", off(ethanol, ethanol_boils),
              " for ethanol and ", off(dimethyl_ether, ether_boils),
              " for the ether. To do better takes a table of measured values.");
}

std::string about_attention(const Results& results) {
  if (!bonds_are_learnt(results)) return "";
  return text(
      "Each atom alone errs by ", degrees(mean_of(results.alone.errors)), " on average, two looks by ",
      degrees(mean_of(results.twice.errors)), ".",
      is_like_two_looks(results.averaged, results)
          ? " Attention settles two things. One is who may be looked at: here the bonds say that, and it "
            "counts. The other is how much weight each gets, and that hardly matters: what is bound to "
            "what makes a group, and plain means know that as well. Other seeds are in "
            "examples/molecules/README.md; a task where weights matter is ./run images."
          : "");
}

std::string first_look_of_oxygen(const Results& results) {
  std::vector<std::string> parts;
  for (const Share& each : given_by_oxygen(ethanol, results.twice.ethanol.heads)) {
    const auto atom = static_cast<std::size_t>(each.atom);
    const bool is_itself = ethanol.molecule.atoms[atom] == Element::oxygen;
    parts.push_back(fixed_text(each.share, 2) + " of " +
                    (is_itself ? "itself" : atom_names(ethanol.molecule)[atom]));
  }
  return "For example, the O of ethanol takes in " + list_text(parts, " + ") + ".";
}

std::string about_weights(const Results& results) {
  double least = 1, most = 0;
  for (const Seen& isomer : isomers_seen(results))
    for (const Share& each : given_by_oxygen(isomer.structure, isomer.twice.heads)) {
      least = std::min(least, each.share);
      most = std::max(most, each.share);
    }
  return text("With two looks the shares of both oxygens lie between ", fixed_text(least, 2), " and ",
              fixed_text(most, 2), ", where equal ones are 0.33.",
              bonds_are_learnt(results) && most - least < 0.25 ? " The bonds do more than the weights." : "");
}

std::string how_far_groups_are(const Results& results) {
  const std::vector<Seen> isomers = isomers_seen(results);
  const Farthest twice = farthest(isomers, by_two_looks);
  constexpr double near = 10;
  return text(twice.off < near ? "Nearly: with two looks no group is farther off than "
                               : "Not yet: with two looks a group is still off by ",
              degrees(twice.off), "; where each atom is alone, one is off by ",
              degrees(farthest(isomers, by_alone).off), ".", why_groups_are_off(twice));
}

std::string about_hydrogens(const Results& results) {
  constexpr std::size_t on_carbon = 3, on_oxygen = 8;  // H1 and H6
  const auto adds = [](const Result& by, std::size_t atom) { return degrees(by.ethanol.atoms[atom]); };
  return text("The hydrogen of OH adds ", adds(results.twice, on_oxygen), ", one of ethanol's CH₃ ",
              adds(results.twice, on_carbon), ". Where each atom is alone, every hydrogen adds ",
              adds(results.alone, on_oxygen),
              ". How atoms share out what their group adds is left to the model, for only the sum over a "
              "molecule is taught: the O of OH could as well add more, and its H less.");
}

std::pair<std::size_t, std::size_t> farthest_apart(const std::vector<Molecule>& molecules) {
  std::map<std::string, std::vector<std::size_t>> same_atoms;
  for (std::size_t i = 0; i < molecules.size(); ++i) same_atoms[molecules[i].formula()].push_back(i);
  const auto boils = [&](std::size_t i) { return joback_boiling_point(molecules[i]); };
  std::pair<std::size_t, std::size_t> found{0, 0};
  for (const auto& [formula, all] : same_atoms) {
    const auto [low, high] = std::minmax_element(
        all.begin(), all.end(), [&](std::size_t a, std::size_t b) { return boils(a) < boils(b); });
    if (boils(*high) - boils(*low) > boils(found.first) - boils(found.second)) found = {*high, *low};
  }
  return found;
}
