// How the configurations of models become JSON objects and come back: for the sources that list their
// members.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>

#include <gradual/nn/json.hpp>

namespace gradual {

/// Marks a member that older files do not have, and which then keeps its first value.
struct Newer {};

/// A configuration as a JSON object. `for_each_member(config, visit)` calls visit(key, member) for each of
/// its members, visit(key, member, names) for one whose values have Names, and visit(key, member, Newer{}):
/// one list for writing and for reading.
template <class Config, class ForEachMember>
std::string members_to_json(const Config& config, ForEachMember for_each_member) {
  Json json;
  for_each_member(config, [&](const char* key, const auto& value, const auto&... names) {
    if constexpr (sizeof...(names) == 0 || (std::is_same_v<std::decay_t<decltype(names)>, Newer> || ...))
      json[key] = value;
    else
      json[key] = (names.name(value), ...);
  });
  return json_text(json);
}

/// A member of an object. Throws std::exception where it is not there or of another type: 1.5 and true are no
/// whole numbers.
template <class Value>
void read_member(const nlohmann::json& object, const char* key, Value& value) {
  const nlohmann::json& found = object.at(key);
  if constexpr (std::is_integral_v<Value> && !std::is_same_v<Value, bool>) {
    if (!found.is_number_integer() || (found.is_number_unsigned() && found.get<std::uint64_t>() > INT64_MAX))
      throw std::runtime_error(std::string("\"") + key + "\" is not a whole number");
  }
  try {
    found.get_to(value);
  } catch (const nlohmann::json::type_error&) {
    throw std::runtime_error(std::string("\"") + key + "\" is of another type: got " + found.dump());
  }
}

/// The configuration that was written. Throws std::exception for text that is not such an object, lacks a
/// member or has one of another type.
template <class Config, class ForEachMember>
Config config_from_json(const std::string& json_text, ForEachMember for_each_member) {
  const nlohmann::json json = read_json(json_text);
  Config config;
  for_each_member(config, [&](const char* key, auto& value, const auto&... names) {
    if constexpr ((std::is_same_v<std::decay_t<decltype(names)>, Newer> || ...)) {
      if (json.contains(key)) read_member(json, key, value);
    } else if constexpr (sizeof...(names) == 0)
      read_member(json, key, value);
    else
      value = (names.value(json.at(key)), ...);
  });
  return config;
}

}  // namespace gradual
