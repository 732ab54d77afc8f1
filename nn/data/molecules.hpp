// Small molecules, and a property that depends on what is bound to what.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <gradual/core/indices.hpp>
#include <gradual/core/layers/edges.hpp>
#include <gradual/core/random.hpp>
#include <gradual/core/tensor.hpp>

namespace gradual {

/// What an atom is of.
enum class Element { hydrogen, carbon, nitrogen, oxygen, fluorine };
/// How many elements there are.
constexpr Index element_count = 5;

/// "H", "C", "N", "O" or "F".
std::string symbol_of(Element element);

/// Atoms, and single bonds between pairs of them; no rings.
struct Molecule {
  std::vector<Element> atoms;                  ///< its atoms
  std::vector<std::pair<Index, Index>> bonds;  ///< which atoms are bound

  /// How many atoms of each element there are, as in "C2H6O": equal for isomers.
  std::string formula() const;
  /// What is bound to what, as in "CH3-CH2-OH" or "CH3-CH(CH3)-CH3": the longest chain, with its branches in
  /// parentheses. The same for every order of the atoms, and another for every other molecule. Throws
  /// std::invalid_argument where atoms stand in a ring, are not bound to the others, or are not there.
  std::string structure() const;
};

/// A molecule of 2 … `most_heavy` atoms besides hydrogen, in random order. Carbon bonds four neighbours,
/// nitrogen three, oxygen two, fluorine and hydrogen one; nitrogen, oxygen and fluorine bond none of their
/// kind. Throws std::invalid_argument unless most_heavy is at least 2.
Molecule draw_molecule(Index most_heavy, Random random);

/// What the estimate below begins with, in kelvin.
inline constexpr double joback_begins_at = 198.2;

/// An estimate of the boiling point in kelvin, by the group contributions of Joback and Reid (1987):
/// 198.2 K + 23.58 for each -CH3, 22.88 for -CH2-, 21.74 for >CH-, 18.25 for >C<, -0.03 for -F, 92.88 for
/// -OH, 22.42 for -O-, 73.23 for -NH2, 50.17 for >NH and 11.74 for >N-. What hydrogen is bound to decides:
/// C2H6O is ethanol (337.5 K) or dimethyl ether (267.8 K). Molecules without such a group for an atom (CH4,
/// H2O, NH3) count the group with one hydrogen less.
double joback_boiling_point(const Molecule& molecule);

/// Several molecules as one graph, whose parts have no edges between them.
struct MoleculeBatch {
  Indices elements;   ///< [N]
  EdgeList edges;     ///< bonds in both directions, and each atom to itself
  Tensor membership;  ///< [M, N]: 1 where an atom belongs to a molecule
  Tensor targets;     ///< [M, 1], boiling points in kelvin
};
MoleculeBatch make_batch(const std::vector<Molecule>& molecules);

}  // namespace gradual
