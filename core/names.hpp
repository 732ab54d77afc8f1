// Choices by the names that files and command lines have for them.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gradual/core/error.hpp>

namespace gradual {

/// Values and their names, in the order in which they are shown.
template <class Value>
class Names {
 public:
  /// `what` is named in errors, such as "positions: the kind".
  Names(std::string what, std::vector<std::pair<std::string, Value>> entries)
      : what_(std::move(what)), entries_(std::move(entries)) {}

  /// Throws std::invalid_argument, which lists the names, for any other name.
  const Value& value(const std::string& name) const {
    std::string known;
    for (const auto& [each, value] : entries_) {
      if (each == name) return value;
      known += (known.empty() ? "" : ", ") + each;
    }
    throw std::invalid_argument(text(what_, " must be a known one: got \"", name, "\"; known are ", known));
  }

  /// Throws std::invalid_argument for a value without a name.
  const std::string& name(const Value& value) const {
    for (const auto& [each, other] : entries_) {
      if (other == value) return each;
    }
    throw std::invalid_argument(what_ + " has no name");
  }

  /// All names, in order.
  std::vector<std::string> all() const {
    std::vector<std::string> result;
    for (const auto& entry : entries_) result.push_back(entry.first);
    return result;
  }

  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }

 private:
  std::string what_;
  std::vector<std::pair<std::string, Value>> entries_;
};

}  // namespace gradual
