// Names and what they mean, above a table.
#pragma once

#include <string>
#include <utility>
#include <vector>

using NamesAndMeanings = std::vector<std::pair<std::string, std::string>>;

/// One below the other, each with its line end, two spaces before a name and between the two; where
/// wrapped() breaks a meaning, it goes on below itself.
std::string legend(const NamesAndMeanings& meanings);
