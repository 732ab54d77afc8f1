// What the programs have in common: what their options demand of numbers, and how they end.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>

#include <CLI/CLI.hpp>

/// Parses and runs: `program` does both, with `app`. Returns what it returns, or 0; 2 after a command line
/// that cannot be understood, and 1 after any other error, lost output among them. Errors go to standard
/// error, with the name of the program.
template <class Program>
int run_program(const std::string& name, const CLI::App& app, Program program) {
  try {
    int code = 0;
    if constexpr (std::is_void_v<decltype(program())>)
      program();
    else
      code = program();
    if (std::cout.flush() && std::fflush(stdout) == 0 && !std::ferror(stdout)) return code;
    throw std::runtime_error("standard output cannot be written: is the disk full?");
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;  // 0: it asked for help
  } catch (const std::bad_alloc&) {
    std::cerr << name << ": not enough memory; smaller models, batches and texts need less\n";
  } catch (const std::exception& error) {
    std::cerr << name << ": " << error.what() << "\n";
  }
  return 1;
}

// CLI11 has such checks, but what they answer to a 0 is the range of a double, in 309 digits.
inline CLI::Validator number_check(const std::string& rule, bool (*holds)(double), const char* type) {
  return CLI::Validator(
      [=](const std::string& input) {
        char* end = nullptr;
        const double value = std::strtod(input.c_str(), &end);
        const bool is_number = !input.empty() && *end == '\0' && std::isfinite(value);
        return is_number && holds(value) ? std::string()
                                         : "must be a number " + rule + ": got \"" + input + "\"";
      },
      type);
}

inline const CLI::Validator positive_number = number_check(
    "above 0", [](double value) { return value > 0; }, "POSITIVE");
inline const CLI::Validator not_negative_number = number_check(
    "that is not below 0", [](double value) { return value >= 0; }, "NONNEGATIVE");

/// --seed. CLI11 alone would read -1 as the largest number there is.
inline CLI::Option* add_seed(CLI::App& app, std::uint64_t& seed, const std::string& meaning) {
  return app.add_option("--seed", seed, meaning)->check(not_negative_number)->capture_default_str();
}
