// What the programs have in common: what their options demand of numbers, and how they end.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <new>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#ifndef _WIN32
#include <fcntl.h>
#include <unistd.h>
#endif

#include <CLI/CLI.hpp>

#include <gradual/core/real.hpp>

#include "command_mistakes.hpp"
#include "help_text.hpp"

/// Where a program was started without some of its three streams, files that it opens would take their
/// numbers, and errors be written into them. Now the numbers are taken, and whoever uses them is told that it
/// cannot.
inline void take_closed_streams() {
#ifndef _WIN32
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream)
    if (::fcntl(stream, F_GETFD) == -1 &&
        ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) != stream)
      return;  // nothing can be opened
#endif
}

/// Whether standard output took all that was written to it.
inline bool all_is_written() { return std::cout.flush() && std::fflush(stdout) == 0 && !std::ferror(stdout); }

/// Parses and runs: `program` does both, with `app`. Returns what it returns, or 0; 2 after a command line
/// that cannot be understood, and 1 after any other error, lost output among them. Errors go to standard
/// error, with the name of the program.
template <class Program>
int run_program(const std::string& name, const CLI::App& app, Program program) {
  take_closed_streams();
  const char* const lost = "standard output cannot be written: is the disk full?";
  try {
    int code = 0;
    if constexpr (std::is_void_v<decltype(program())>)
      program();
    else
      code = program();
    if (all_is_written()) return code;
    throw std::runtime_error(lost);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) {
      std::cerr << mistake_text(app, error);
      return 2;
    }
    app.exit(error);  // it asked for help
    if (all_is_written()) return 0;
    std::cerr << name << ": " << lost << "\n";
  } catch (const std::bad_alloc&) {
    std::cerr << name << ": not enough memory; smaller models, batches and texts need less\n";
  } catch (const std::exception& error) {
    std::cerr << name << ": " << error.what() << "\n";
  }
  return 1;
}

/// The number that a text is from end to end, or nothing: in decimal notation where `Number` is for whole
/// numbers, else finite.
template <class Number>
std::optional<Number> number_in(const std::string& text) {
  if constexpr (std::is_integral_v<Number>) {
    Number value = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    return rest == end && error == std::errc() ? std::optional(value) : std::nullopt;
  } else {
    char* rest = nullptr;
    const double value = std::strtod(text.c_str(), &rest);
    const bool is_number = !text.empty() && *rest == '\0' && std::isfinite(value);
    return is_number ? std::optional(static_cast<Number>(value)) : std::nullopt;
  }
}

/// Writes a number with the fewest digits that are read as the same one; returns their end.
template <class Number>
char* digits_of(Number value, char* begin, char* end) {
  if constexpr (std::is_integral_v<Number>)
    return std::to_chars(begin, end, value).ptr;
  else
    return std::to_chars(begin, end, value, std::chars_format::general).ptr;
}

/// The largest number that an option takes: sizes and counts are added and multiplied.
template <class Number>
constexpr Number largest_number() {
  if constexpr (std::is_same_v<Number, gradual::Index>)
    return Number(1) << 40;
  else
    return std::numeric_limits<Number>::max();
}

/// What an option demands of its number: for CLI::Option::transform(). Whole numbers are given to CLI11 as it
/// reads them: alone it would take 020 for 16, and the largest number for one that is larger still. Its own
/// checks hold for nan, and what they answer to a 0 is the range of a double, in 309 digits.
template <class Number, class Holds>
CLI::Validator number_check(const std::string& rule, Holds holds, const std::string& type) {
  return CLI::Validator(
      [=](std::string& input) -> std::string {
        const std::optional<Number> value = number_in<Number>(input);
        const bool too_large = value && *value > largest_number<Number>();
        if (!value || too_large || !holds(*value)) {
          const bool too_many_digits = !value && !input.empty() && std::is_integral_v<Number> &&
                                       input.find_first_not_of("0123456789") == std::string::npos;
          const std::string kind = std::is_integral_v<Number> ? "a whole number " : "a number ";
          const std::string most =
              too_large || too_many_digits ? " and at most " + std::to_string(largest_number<Number>()) : "";
          return "must be " + kind + rule + most + ": got \"" + input + "\"";
        }
        char digits[64];  // the fewest that mean the number, however it was typed
        input.assign(digits, digits_of(*value, digits, digits + sizeof digits));
        return "";
      },
      type);
}

/// Checks of the variable that an option sets; of its elements where it is a list.
template <class Number>
CLI::Validator above_zero(const Number&) {
  return number_check<Number>(
      "above 0", [](Number value) { return value > 0; }, "POSITIVE");
}
template <class Number>
CLI::Validator above_zero(const std::vector<Number>&) {
  return above_zero(Number());
}
template <class Number>
CLI::Validator not_below_zero(const Number&) {
  return number_check<Number>(
      "that is not below 0", [](Number value) { return value >= 0; }, "NONNEGATIVE");
}
template <class Number>
CLI::Validator not_below_zero(const std::vector<Number>&) {
  return not_below_zero(Number());
}
template <class Number>
CLI::Validator between(Number lowest, Number highest) {
  const auto written = [](Number number) {
    std::ostringstream digits;
    digits << number;
    return digits.str();
  };
  return number_check<Number>(
      "from " + written(lowest) + " to " + written(highest),
      [=](Number value) { return value >= lowest && value <= highest; },
      "in [" + written(lowest) + " - " + written(highest) + "]");
}

/// For what is on or off, which becomes `true` or `false`: for CLI::Option::transform(). CLI11 alone takes
/// `--json=3x` for on.
inline CLI::Validator yes_or_no() {
  return CLI::Validator(
      [](std::string& input) -> std::string {
        for (const auto& [on, off] : {std::pair("true", "false"), {"on", "off"}, {"yes", "no"}, {"1", "0"}})
          if (input == on || input == off) {
            input = input == on ? "true" : "false";
            return "";
          }
        return "must be true or false: got \"" + input + "\"";
      },
      "");
}

/// For what must be given.
inline CLI::Validator not_empty() {
  return CLI::Validator(
      [](std::string& input) -> std::string { return input.empty() ? "must be given: got \"\"" : ""; }, "");
}

/// The options of a command under one heading of its --help. Each is `--name`, and its help shows what it is
/// by default.
class Options {
 public:
  explicit Options(CLI::App& command, std::string heading = "Options")
      : command_(&command), heading_(std::move(heading)) {}

  template <class Value>
  CLI::Option* operator()(const std::string& name, Value& value, const std::string& meaning) const {
    CLI::Option* const option = command_->add_option("--" + name, value, meaning);
    if constexpr (std::is_arithmetic_v<Value>) option->check(not_empty());  // which CLI11 takes for 0
    return option->capture_default_str()->group(heading_);
  }
  CLI::Option* file(const std::string& name, std::string& value, const std::string& meaning) const {
    return file_or_none(name, value, meaning)->check(not_empty());
  }
  CLI::Option* folder(const std::string& name, std::string& value, const std::string& meaning) const {
    return folder_or_none(name, value, meaning)->check(not_empty());
  }
  /// For which an empty name means something.
  CLI::Option* file_or_none(const std::string& name, std::string& value, const std::string& meaning) const {
    return (*this)(name, value, meaning)->type_name("FILE");
  }
  CLI::Option* folder_or_none(const std::string& name, std::string& value, const std::string& meaning) const {
    return (*this)(name, value, meaning)->type_name("FOLDER");
  }
  template <class Number>
  CLI::Option* positive(const std::string& name, Number& value, const std::string& meaning) const {
    return (*this)(name, value, meaning)->transform(above_zero(value));
  }
  template <class Number>
  CLI::Option* not_negative(const std::string& name, Number& value, const std::string& meaning) const {
    return (*this)(name, value, meaning)->transform(not_below_zero(value));
  }
  template <class Number>
  CLI::Option* between(const std::string& name, Number& value, Number lowest, Number highest,
                       const std::string& meaning) const {
    return (*this)(name, value, meaning)->transform(::between(lowest, highest));
  }
  CLI::Option* choice(const std::string& name, std::string& value, const std::string& meaning,
                      const std::vector<std::string>& choices) const {
    return (*this)(name, value, meaning)->check(one_of(choices));
  }
  CLI::Option* flag(const std::string& name, bool& value, const std::string& meaning) const {
    return command_->add_flag("--" + name, value, meaning)->transform(yes_or_no())->group(heading_);
  }
  CLI::Option* threads(int& value) const {
    return between("threads", value, 0, 64, "threads that share the work; 0: as many as there are cores");
  }

 private:
  CLI::App* command_;
  std::string heading_;
};
