// JSON that a stranger may have written: for the sources that read files.
#pragma once

#include <limits>
#include <string>

#include <nlohmann/json.hpp>

namespace gradual {

/// What the text says. Its members lie sorted, so that many of them take no longer than it takes to read
/// them. Throws std::runtime_error for values within more than 32 others, which would fill the stack of
/// whoever walks over them, and std::exception for text that is not JSON.
nlohmann::json read_json(const std::string& text);

/// The number that was written, NaN where it is null: JSON has no word for what is infinite or not a number.
template <class Json>
double number_or_nan(const Json& json) {
  return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.template get<double>();
}

}  // namespace gradual
