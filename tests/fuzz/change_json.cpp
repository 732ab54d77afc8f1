#include "change_json.hpp"

#include <cstdint>
#include <utility>

namespace gradual::fuzz {
namespace {

// What is likely to be at the end of what somebody thought of.
const Json& strange_value(Random& random) {
  static const std::vector<Json> values = {nullptr,
                                           true,
                                           false,
                                           0,
                                           1,
                                           2,
                                           -1,
                                           3,
                                           100,
                                           101,
                                           65536,
                                           INT32_MAX,
                                           std::int64_t(1) << 32,
                                           std::int64_t(1) << 53,
                                           INT64_MAX,
                                           INT64_MIN,
                                           UINT64_MAX,
                                           0.0,
                                           -0.0,
                                           0.5,
                                           1.0,
                                           1e-320,
                                           1e38,
                                           1e300,
                                           "",
                                           " ",
                                           "a",
                                           "none",
                                           "nan",
                                           "<unk>",
                                           "\xE2\x96\x81",
                                           std::string(1, '\0'),
                                           Json::array(),
                                           Json::object(),
                                           Json::array({1}),
                                           Json::array({Json::array()})};
  return one_of_all(values, random);
}

void change_number(Json& number, Random& random) {
  if (number.is_number_float()) {
    number = number.get<double>() * (random.below(2) ? -1.0 : 10.0);
    return;
  }
  const std::uint64_t value = number.get<std::uint64_t>();  // which may turn over
  const std::uint64_t changed[] = {value + 1, value - 1, value * 2,
                                   value / 2, 0 - value, value ^ (1ULL << random.below(64))};
  const std::uint64_t chosen = changed[random.below(6)];
  if (random.below(8) == 0)
    number = chosen;
  else
    number = static_cast<std::int64_t>(chosen);
}

void change_members(Json& json, Random& random) {
  const Index place = json.empty() ? 0 : random.below(static_cast<Index>(json.size()));
  const auto at = [&] { return std::next(json.begin(), static_cast<std::ptrdiff_t>(place)); };
  switch (random.below(4)) {
    case 0:
      if (!json.empty()) json.erase(at());
      return;
    case 1:
      if (json.is_array())
        json.insert(at(), strange_value(random));
      else
        json["new"] = strange_value(random);
      return;
    case 2:  // the same once more
      if (json.empty()) return;
      if (json.is_array())
        json.push_back(Json(*at()));
      else
        json[at().key() + "s"] = Json(at().value());
      return;
    default:  // two change their places
      if (!json.empty()) std::swap(*at(), one_of_all(json, random));
  }
}

}  // namespace

void change_json(Json& json, Random random, const ChangeBytes& change_bytes) {
  Json* place = &json;
  while (place->is_structured() && !place->empty() && random.below(8) > 0)
    place = &one_of_all(*place, random);
  if (random.below(4) == 0)
    *place = strange_value(random);
  else if (place->is_structured())
    change_members(*place, random);
  else if (place->is_string())
    *place = change_bytes(place->get<std::string>());
  else if (place->is_number())
    change_number(*place, random);
  else
    *place = !(place->is_boolean() && place->get<bool>());
}

}  // namespace gradual::fuzz
