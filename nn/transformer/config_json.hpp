// A transformer's configuration as text, for the metadata of model files.
#pragma once

#include <string>

#include <gradual/nn/transformer/config.hpp>

namespace gradual {

/// The configuration, all but its vocabularies, as a JSON object.
std::string config_to_json(const TransformerConfig& config);
std::string config_to_json(const StackConfig& config);
/// The configuration that config_to_json wrote. Throws std::exception for any other text.
TransformerConfig transformer_config_from_json(const std::string& json);
StackConfig stack_config_from_json(const std::string& json);

}  // namespace gradual
