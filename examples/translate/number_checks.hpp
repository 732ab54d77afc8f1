// What a number on the command line must be. The checks of CLI11 answer with a range of three hundred digits.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

inline CLI::Validator number_check(const std::string& kind, const std::string& rule, bool (*holds)(double)) {
  const auto problem = [rule, holds](std::string& text) {
    double number = 0;
    const bool good = CLI::detail::lexical_cast(text, number) && holds(number);
    return good ? std::string() : "must be a number " + rule + ": got \"" + text + "\"";
  };
  return CLI::Validator(problem, kind);
}

inline CLI::Validator above_zero() {
  return number_check("POSITIVE", "above 0", [](double number) { return number > 0; });
}

inline CLI::Validator not_below_zero() {
  return number_check("NONNEGATIVE", "that is not below 0", [](double number) { return number >= 0; });
}
