// JSON with something else in one place.
#pragma once

#include <nlohmann/json.hpp>

#include "targets.hpp"

namespace gradual::fuzz {

using Json = nlohmann::ordered_json;

/// Changes one value, wherever it is.
void change_json(Json& json, Random random, const ChangeBytes& change_bytes);

/// The text, whose strings need not be UTF-8.
inline std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// One of a list.
template <class List>
auto& one_of_all(List& list, Random& random) {
  return *std::next(list.begin(), static_cast<std::ptrdiff_t>(random.below(static_cast<Index>(list.size()))));
}

}  // namespace gradual::fuzz
