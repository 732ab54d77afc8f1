// JSON that a stranger may have written: for the sources that read files.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace gradual {

/// What the text says. Its members lie sorted, so that many of them take no longer than it takes to read
/// them. Throws std::runtime_error for values within more than 32 others, which would fill the stack of
/// whoever walks over them, and std::exception for text that is not JSON.
nlohmann::json read_json(const std::string& text);

}  // namespace gradual
