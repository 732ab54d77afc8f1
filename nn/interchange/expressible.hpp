// Refusing by name what the other side's format has no word for.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gradual/core/error.hpp>

namespace gradual {

/// The names that two sides have for the same things: ours first.
using NamePairs = std::vector<std::pair<std::string, std::string>>;

/// Throws std::invalid_argument, "marian: positions must be sinusoidal: this model's is rotary".
template <class Value, class Expected>
void require_setting(const char* format, const char* setting, const Value& value, const Expected& expected) {
  if (!(value == expected))
    throw std::invalid_argument(
        text(format, ": ", setting, " must be ", expected, ": this model's is ", value));
}

/// The other side's name. Throws std::invalid_argument, which lists ours, for what has none there.
inline std::string name_there(const char* format, const char* setting, const std::string& ours,
                              const NamePairs& names) {
  std::string known;
  for (const auto& [here, there] : names) {
    if (here == ours) return there;
    known += (known.empty() ? "" : ", ") + here;
  }
  throw std::invalid_argument(
      text(format, ": ", setting, " must be one of ", known, ": this model's is ", ours));
}

/// Our name. Throws std::invalid_argument, which lists theirs, for what has none here.
inline std::string name_here(const char* format, const char* setting, const std::string& theirs,
                             const NamePairs& names) {
  std::string known;
  for (const auto& [here, there] : names) {
    if (there == theirs) return here;
    known += (known.empty() ? "" : ", ") + there;
  }
  throw std::invalid_argument(
      text(format, ": ", setting, " must be one of ", known, ": this model's is ", theirs));
}

}  // namespace gradual
