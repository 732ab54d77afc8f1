// JSON, as values of nlohmann's library, made text and read from text in one place: each source that did it
// by itself would take some seconds longer to compile.
#pragma once

#include <limits>
#include <string>

#include <nlohmann/json.hpp>

namespace gradual {

/// A value whose members lie in the order in which they were added.
using Json = nlohmann::ordered_json;

/// The value as text: in one line, or in lines that are set in by `indent` spaces for each level. Throws
/// std::exception where a text within is not UTF-8.
std::string json_text(const Json& json, int indent = -1);
std::string json_text(const nlohmann::json& json);

/// The value as text in one line, with U+FFFD for what is not UTF-8, as sentences of people may be.
std::string clean_json_text(const Json& json);

/// What a text says that this library wrote, or a short one of a stranger, in which values cannot lie deep
/// within others. Where it is not JSON, the value is_discarded(), and at() throws std::exception.
Json json_of(const std::string& text);

/// What a text says that a stranger may have written. Its members lie sorted, so that many of them take no
/// longer than it takes to read them. Throws std::runtime_error for values within more than 32 others, which
/// would fill the stack of whoever walks over them, and std::exception for text that is not JSON.
nlohmann::json read_json(const std::string& text);

/// The number that was written, NaN where it is null: JSON has no word for what is infinite or not a number.
template <class Value>
double number_or_nan(const Value& json) {
  return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.template get<double>();
}

}  // namespace gradual
