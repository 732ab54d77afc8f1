// Two molecules of one formula, C₂H₆O, and what a model makes of their bonds and atoms.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gradual/nn/drawing/attention_map.hpp>
#include <gradual/nn/drawing/svg.hpp>

#include "model.hpp"

/// Atoms that Joback's method counts as one, and what it adds for them.
struct Group {
  std::string name;
  double joback;
  std::vector<gradual::Index> atoms;
};

/// A molecule with its place on paper.
struct Structure {
  std::string name;
  gradual::Molecule molecule;
  std::vector<std::pair<double, double>> places;  // of atoms
  std::vector<Group> groups;
};

/// Ethanol has its oxygen at the end, dimethyl ether between its carbons.
extern const Structure ethanol, dimethyl_ether;

/// "C1", "C2", "O1", …
std::vector<std::string> atom_names(const gradual::Molecule& molecule);

/// On paper, with what its oxygen is bound to marked.
std::string draw_structure(const Structure& structure);

/// Any molecule on paper, along its longest chain, its hydrogens beside what they are bound to ("CH₃"). OH
/// and NH₂ are marked.
std::string draw_skeleton(const gradual::Molecule& molecule);

/// On paper, with what the oxygen gives itself and the atoms that it is bound to, on average over heads; the
/// more, the thicker the bond.
std::string draw_given_by_oxygen(const Structure& structure, const std::vector<gradual::AttentionMap>& heads);

/// On paper, each atom with what it adds to the boiling point; the more, the stronger its tint.
std::string draw_contributions(const Structure& structure, const std::vector<double>& kelvin);

/// The class of an element's outline.
const char* outline_of(gradual::Element element);

/// What the outlines of atoms mean, in a line: those of these elements. And what their tints mean.
std::string outlines_legend(const std::set<gradual::Element>& elements);
std::string tints_legend();

/// What an atom is given.
struct Share {
  gradual::Index atom;
  double share;
};

/// What the oxygen gives to itself and to the atoms that it is bound to, on average over heads.
std::vector<Share> given_by_oxygen(const Structure& structure,
                                   const std::vector<gradual::AttentionMap>& heads);
