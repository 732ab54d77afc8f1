// The two tables on the terminal, as JSON, and as a page with the maps beside them.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "contest.hpp"
#include "lengths.hpp"

std::string contest_head(const Task& task, const ContestSettings& settings);
std::string contest_line(const Outcome& outcome);
std::string length_head(const LengthSettings& settings);
std::string length_line(const LengthOutcome& outcome);

nlohmann::ordered_json to_json(const std::vector<Outcome>& contest, const std::vector<LengthOutcome>& lengths,
                               const LengthSettings& settings);

/// One HTML file without a network: both tables, the maps of some sentences beside their known alignment, and
/// the curves by length.
std::string page(const Task& task, const std::vector<Outcome>& contest,
                 const ContestSettings& contest_settings, const std::vector<LengthOutcome>& lengths,
                 const LengthSettings& length_settings);
