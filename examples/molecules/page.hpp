// What came out, as a page.
#pragma once

#include <string>
#include <vector>

#include "experiment.hpp"

/// One HTML file without a network: the isomers, who looks at whom, errors, and what atoms add.
std::string page(const Results& results, const std::vector<gradual::Molecule>& molecules,
                 const gradual::MoleculeBatch& test, const Settings& settings);
