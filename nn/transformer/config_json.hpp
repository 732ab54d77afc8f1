// A transformer's configuration as text, for the metadata of model files.
#pragma once

#include <string>

#include <gradual/nn/transformer/config.hpp>

namespace gradual {

/// The configuration as a JSON object.
std::string config_to_json(const TransformerConfig& config);
/// The configuration that config_to_json wrote. Throws std::exception for any other text.
TransformerConfig config_from_json(const std::string& json);

}  // namespace gradual
