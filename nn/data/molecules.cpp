#include <gradual/nn/data/molecules.hpp>

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>

#include <gradual/core/error.hpp>

namespace gradual {
namespace {

// By Element: the bonds that it makes.
constexpr std::array<Index, element_count> valence = {1, 4, 3, 2, 1};

std::size_t number_of(Element element) { return static_cast<std::size_t>(element); }

bool may_bond(Element a, Element b) { return a == Element::carbon || b == Element::carbon; }

Element drawn_element(Random& random) {
  const double u = random.uniform();
  return u < 0.62   ? Element::carbon
         : u < 0.78 ? Element::oxygen
         : u < 0.92 ? Element::nitrogen
                    : Element::fluorine;
}

// The same molecule with its atoms in another order.
Molecule shuffled(const Molecule& molecule, Random& random) {
  std::vector<Index> place(molecule.atoms.size());
  std::iota(place.begin(), place.end(), Index(0));
  for (std::size_t i = place.size(); i > 1; --i)
    std::swap(place[i - 1], place[static_cast<std::size_t>(random.below(static_cast<Index>(i)))]);
  Molecule result{std::vector<Element>(molecule.atoms.size()), {}};
  for (std::size_t i = 0; i < place.size(); ++i)
    result.atoms[static_cast<std::size_t>(place[i])] = molecule.atoms[i];
  for (const auto& [a, b] : molecule.bonds)
    result.bonds.emplace_back(place[static_cast<std::size_t>(a)], place[static_cast<std::size_t>(b)]);
  return result;
}

struct Chain {
  Index length;  // of what is no hydrogen, up to its farthest end
  std::string text;
};

// `atom` and what is bound to it, other than where one comes `from`: the longest branch goes on, the others
// stand in parentheses.
Chain chain_of(const Molecule& molecule, Index atom, Index from, std::vector<bool>& visited) {
  visited[static_cast<std::size_t>(atom)] = true;
  Index hydrogens = 0;
  std::vector<Chain> branches;
  for (const auto& [a, b] : molecule.bonds) {
    const Index other = a == atom ? b : b == atom ? a : from;
    if (other == from) continue;
    if (visited[static_cast<std::size_t>(other)])
      throw std::invalid_argument(text("molecules: no atoms may stand in a ring: atom ", other, " does"));
    if (molecule.atoms[static_cast<std::size_t>(other)] == Element::hydrogen) {
      visited[static_cast<std::size_t>(other)] = true;
      ++hydrogens;
    } else {
      branches.push_back(chain_of(molecule, other, atom, visited));
    }
  }
  std::sort(branches.begin(), branches.end(), [](const Chain& a, const Chain& b) {
    return std::tie(a.length, a.text) < std::tie(b.length, b.text);
  });
  Chain chain{1, symbol_of(molecule.atoms[static_cast<std::size_t>(atom)])};
  if (hydrogens > 0) chain.text += hydrogens > 1 ? "H" + std::to_string(hydrogens) : "H";
  for (std::size_t i = 0; i + 1 < branches.size(); ++i) chain.text += "(" + branches[i].text + ")";
  if (!branches.empty()) {
    chain.length += branches.back().length;
    chain.text += "-" + branches.back().text;
  }
  return chain;
}

}  // namespace

std::string symbol_of(Element element) { return std::string(1, "HCNOF"[number_of(element)]); }

std::string Molecule::formula() const {
  std::array<Index, element_count> counts = {};
  for (const Element atom : atoms) ++counts[number_of(atom)];
  std::string result;
  for (const Element element :
       {Element::carbon, Element::hydrogen, Element::fluorine, Element::nitrogen, Element::oxygen}) {
    const Index count = counts[number_of(element)];
    if (count > 0) result += symbol_of(element) + (count > 1 ? std::to_string(count) : "");
  }
  return result;
}

std::string Molecule::structure() const {
  for (const auto& [a, b] : bonds)
    for (const Index atom : {a, b})
      if (atom < 0 || atom >= static_cast<Index>(atoms.size()))
        throw std::invalid_argument(
            text("molecules: bonds are between atoms: there is no atom ", atom, ", only ", atoms.size()));
  if (!atoms.empty() && bonds.size() + 1 != atoms.size())
    throw std::invalid_argument(
        text("molecules: atoms that are bound to one another without a ring have a bond less "
             "than there are atoms: got ",
             bonds.size(), " bonds of ", atoms.size(), " atoms"));
  Chain best{0, formula()};
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    if (atoms[i] == Element::hydrogen) continue;
    std::vector<bool> visited(atoms.size(), false);
    const Chain chain = chain_of(*this, static_cast<Index>(i), -1, visited);
    if (const auto alone = std::find(visited.begin(), visited.end(), false); alone != visited.end())
      throw std::invalid_argument(
          text("molecules: all atoms must be bound to one another by more than hydrogen: atom ",
               alone - visited.begin(), " is not bound to atom ", i));
    if (chain.length > best.length || (chain.length == best.length && chain.text < best.text)) best = chain;
  }
  return best.text;
}

Molecule draw_molecule(Index most_heavy, Random random) {
  if (most_heavy < 2)
    throw std::invalid_argument(
        text("molecules: there must be at least 2 atoms besides hydrogen: got ", most_heavy));
  const Index heavy = 2 + random.below(most_heavy - 1);
  Molecule molecule{{Element::carbon}, {}};
  std::vector<Index> free = {valence[number_of(Element::carbon)]};  // bonds that each atom can still make
  const auto bond = [&](Index to, Element element) {
    molecule.bonds.emplace_back(to, static_cast<Index>(molecule.atoms.size()));
    molecule.atoms.push_back(element);
    --free[static_cast<std::size_t>(to)];
    free.push_back(valence[number_of(element)] - 1);
  };
  while (static_cast<Index>(molecule.atoms.size()) < heavy) {
    const Element element = drawn_element(random);
    std::vector<Index> places;
    for (std::size_t i = 0; i < molecule.atoms.size(); ++i)
      if (free[i] > 0 && may_bond(molecule.atoms[i], element)) places.push_back(static_cast<Index>(i));
    if (!places.empty())
      bond(places[static_cast<std::size_t>(random.below(static_cast<Index>(places.size())))], element);
    else if (std::none_of(free.begin(), free.end(), [](Index count) { return count > 0; }))
      break;
  }
  const auto heavy_atoms = static_cast<Index>(molecule.atoms.size());
  for (Index i = 0; i < heavy_atoms; ++i)
    while (free[static_cast<std::size_t>(i)] > 0) bond(i, Element::hydrogen);
  return shuffled(molecule, random);
}

double joback_boiling_point(const Molecule& molecule) {
  std::vector<std::size_t> hydrogens(molecule.atoms.size(), 0);
  for (const auto& [a, b] : molecule.bonds) {
    const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
    if (molecule.atoms[i] == Element::hydrogen) ++hydrogens[j];
    if (molecule.atoms[j] == Element::hydrogen) ++hydrogens[i];
  }
  // By the number of hydrogens that are bound.
  constexpr std::array<double, 4> carbon = {18.25, 21.74, 22.88, 23.58};
  constexpr std::array<double, 3> nitrogen = {11.74, 50.17, 73.23};
  constexpr std::array<double, 2> oxygen = {22.42, 92.88};
  const auto contribution = [](const auto& table, std::size_t count) {
    return table[std::min(count, table.size() - 1)];
  };
  double kelvin = joback_begins_at;
  for (std::size_t i = 0; i < molecule.atoms.size(); ++i) {
    switch (molecule.atoms[i]) {
      case Element::carbon:
        kelvin += contribution(carbon, hydrogens[i]);
        break;
      case Element::nitrogen:
        kelvin += contribution(nitrogen, hydrogens[i]);
        break;
      case Element::oxygen:
        kelvin += contribution(oxygen, hydrogens[i]);
        break;
      case Element::fluorine:
        kelvin -= 0.03;
        break;
      case Element::hydrogen:
        break;
    }
  }
  return kelvin;
}

MoleculeBatch make_batch(const std::vector<Molecule>& molecules) {
  std::vector<std::int32_t> elements, from, to;
  Index atoms = 0;
  for (const Molecule& molecule : molecules) atoms += static_cast<Index>(molecule.atoms.size());
  const auto count = static_cast<Index>(molecules.size());
  Tensor membership = Tensor::zeros({count, atoms}), targets({count, 1});
  for (Index m = 0; m < count; ++m) {
    const Molecule& molecule = molecules[static_cast<std::size_t>(m)];
    const auto first = static_cast<std::int32_t>(elements.size());
    for (const Element atom : molecule.atoms) {
      membership.unguarded_data()[m * atoms + static_cast<Index>(elements.size())] = 1;
      elements.push_back(static_cast<std::int32_t>(atom));
    }
    for (const auto& [a, b] : molecule.bonds) {
      from.push_back(first + static_cast<std::int32_t>(a));
      to.push_back(first + static_cast<std::int32_t>(b));
    }
    targets.unguarded_data()[m] = static_cast<Real>(joback_boiling_point(molecule));
  }
  const Shape bonds{static_cast<Index>(from.size())};
  return {Indices({atoms}, elements), neighbourhoods(atoms, Indices(bonds, from), Indices(bonds, to)),
          membership, targets};
}

}  // namespace gradual
