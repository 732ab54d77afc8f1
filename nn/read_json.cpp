#include <gradual/nn/read_json.hpp>

#include <stdexcept>

namespace gradual {

nlohmann::json read_json(const std::string& text) {
  constexpr int deepest = 32;
  return nlohmann::json::parse(text, [](int depth, nlohmann::json::parse_event_t, const nlohmann::json&) {
    if (depth > deepest) throw std::runtime_error("its JSON is nested too deep");
    return true;
  });
}

}  // namespace gradual
