#include <gradual/nn/json.hpp>

#include <stdexcept>

namespace gradual {

std::string json_text(const Json& json, int indent) { return json.dump(indent); }

std::string json_text(const nlohmann::json& json) { return json.dump(); }

std::string clean_json_text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json json_of(const std::string& text) { return Json::parse(text, nullptr, false); }

nlohmann::json read_json(const std::string& text) {
  constexpr int deepest = 32;
  return nlohmann::json::parse(text, [](int depth, nlohmann::json::parse_event_t, const nlohmann::json&) {
    if (depth > deepest) throw std::runtime_error("its JSON is nested too deep");
    return true;
  });
}

}  // namespace gradual
