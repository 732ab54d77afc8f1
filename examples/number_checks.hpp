// What the options of programs demand of numbers. CLI11 has the same checks, but what they answer to a 0 is
// the range of a double, in 309 digits.
#pragma once

#include <cmath>
#include <cstdlib>
#include <string>

#include <CLI/CLI.hpp>

inline CLI::Validator number_check(const std::string& rule, bool (*holds)(double), const char* type) {
  return CLI::Validator(
      [=](const std::string& input) {
        char* end = nullptr;
        const double value = std::strtod(input.c_str(), &end);
        const bool is_number = !input.empty() && *end == '\0' && std::isfinite(value);
        return is_number && holds(value) ? std::string() : rule + ": got " + input;
      },
      type);
}

inline const CLI::Validator positive_number = number_check(
    "it must be a positive number", [](double value) { return value > 0; }, "POSITIVE");
inline const CLI::Validator not_negative_number = number_check(
    "it must be a number that is not negative", [](double value) { return value >= 0; }, "NONNEGATIVE");
