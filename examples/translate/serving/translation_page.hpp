// The page that `translate serve` shows.
#pragma once

#include <string>

#include "serve.hpp"

/// With sentences to begin with and what the model knows. `nonce` marks its scripts, so that no other script
/// runs on it.
std::string translation_page(const gradual::Translator& translator, const ServeSettings& settings,
                             const std::string& nonce);
