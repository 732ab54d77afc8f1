// A language as text, for the metadata of model files.
#pragma once

#include <string>

#include <gradual/nn/text/tokenizer.hpp>

namespace gradual {

/// The language as a JSON object: how its sentences become tokens, and its vocabulary.
std::string language_to_json(const Language& language);
/// The language that language_to_json() wrote. Throws std::exception for any other text.
Language language_from_json(const std::string& json);

}  // namespace gradual
