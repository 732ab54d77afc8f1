// Hugging Face's vocab.json: an object from tokens to their ids.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <gradual/core/error.hpp>
#include <gradual/nn/json.hpp>

namespace gradual {

/// The tokens in the order of their ids. Throws std::invalid_argument, in the name of the format, unless
/// these are 0 … size - 1.
inline std::vector<std::string> tokens_by_id(const char* format, const nlohmann::json& json) {
  std::vector<std::string> tokens(json.size());
  for (const auto& [token, id] : json.items()) {
    const bool is_id = id.is_number_unsigned() && id.get<std::uint64_t>() < tokens.size();
    if (!is_id || token.empty() || !tokens[id.get<std::size_t>()].empty())
      throw std::invalid_argument(text(format, ": each token must have an id of its own below ",
                                       tokens.size(), ": \"", token, "\" has ", json_text(id)));
    tokens[id.get<std::size_t>()] = token;
  }
  return tokens;
}

}  // namespace gradual
