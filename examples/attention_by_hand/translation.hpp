// The command that translates: by hand and by the library, which must agree.
#pragma once

#include <string>

#include <gradual/nn/transformer/frozen_translator.hpp>

/// Prints the key steps of a sentence's translation by a model of width 4, and leaves a page with all of them
/// in the folder `out`, unless that is empty. Throws std::runtime_error where the library says otherwise.
void show_translation(const gradual::FrozenTranslator& model, const std::string& sentence,
                      const std::string& out);
