// Two molecules of one formula, C₂H₆O, and what attention carries along each of their bonds.
#pragma once

#include <string>
#include <vector>

#include <gradual/nn/drawing/attention_map.hpp>

#include "model.hpp"

/// Ethanol has its oxygen at the end, dimethyl ether between its carbons.
extern const gradual::Molecule ethanol, dimethyl_ether;

/// "C1", "C2", "O1", …
std::vector<std::string> atom_names(const gradual::Molecule& molecule);

/// The molecule on paper. Each bond is as thick as what its two atoms give to one another, on average over
/// heads.
std::string draw_ethanol(const std::vector<gradual::AttentionMap>& heads);
std::string draw_dimethyl_ether(const std::vector<gradual::AttentionMap>& heads);

/// What differs between the two: whom the oxygen is bound to, and how much they give to one another.
std::string bonds_of_oxygen(const std::vector<gradual::AttentionMap>& ethanol_heads,
                            const std::vector<gradual::AttentionMap>& ether_heads);
