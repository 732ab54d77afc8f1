// What one asks of the outcomes of a contest.
#pragma once

#include <string>
#include <vector>

#include "contest.hpp"

/// The one of this name; none where there is none.
const Outcome* find(const std::vector<Outcome>& ways, const std::string& name);

/// The one that gets the most sentences right; none where nobody gets any.
const Outcome* most_exact(const std::vector<Outcome>& ways);

/// All of them by how many sentences they get right, the best first.
std::vector<const Outcome*> ranked(const std::vector<Outcome>& ways);

/// Whether two get so nearly as many of so many sentences right that it may be chance.
bool are_level(const Outcome& a, const Outcome& b, std::size_t sentences);

/// Whether one gets fewer of so many sentences right than another, by more than chance.
bool is_behind(const Outcome& way, const Outcome& other, std::size_t sentences);

/// Whether its weights are often sure before any training.
bool is_sure_early(const Outcome& way);
