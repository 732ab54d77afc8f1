// The command that translates: by hand and by the library, which must agree.
#pragma once

#include <string>

/// Prints the key steps of a sentence's translation by the frozen model, and leaves a page with all of them
/// in the folder `out`, unless that is empty. Throws std::runtime_error where the library says otherwise.
void show_translation(const std::string& sentence, const std::string& out);
