// How the configurations of models become JSON objects and come back: for the sources that list their
// members.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace gradual {

/// A configuration as a JSON object. `for_each_member(config, visit)` calls visit(key, member) for each of
/// its members, and visit(key, member, names) for one whose values have Names: one list for writing and for
/// reading.
template <class Config, class ForEachMember>
std::string members_to_json(const Config& config, ForEachMember for_each_member) {
  nlohmann::ordered_json json;
  for_each_member(config, [&](const char* key, const auto& value, const auto&... names) {
    if constexpr (sizeof...(names) == 0)
      json[key] = value;
    else
      json[key] = (names.name(value), ...);
  });
  return json.dump();
}

/// The configuration that was written. Throws std::exception for text that is not such an object, lacks a
/// member or has one of another type.
template <class Config, class ForEachMember>
Config config_from_json(const std::string& json_text, ForEachMember for_each_member) {
  const auto json = nlohmann::ordered_json::parse(json_text);
  Config config;
  for_each_member(config, [&](const char* key, auto& value, const auto&... names) {
    if constexpr (sizeof...(names) == 0)
      json.at(key).get_to(value);
    else
      value = (names.value(json.at(key)), ...);
  });
  return config;
}

}  // namespace gradual
