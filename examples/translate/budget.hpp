// Training by a budget of time.
#pragma once

#include <string>
#include <vector>

#include <gradual/nn/translation/budget.hpp>

/// The seconds of "10s", "5m", "1h"; throws CLI::ValidationError for other text, and for more than
/// 1000 hours.
double seconds_of(const std::string& duration);

/// The options that a plan chooses, and that cannot be given beside --budget.
const std::vector<std::string>& planned_options();
/// Those that no plan reckons with, and that cannot be given either.
const std::vector<std::string>& unplanned_options();

/// A plan as lines `option = value`, and for people: what will be trained, for how long.
std::string settings_of(const gradual::Plan& plan);
std::string expectation_of(const gradual::Plan& plan, double seconds);
