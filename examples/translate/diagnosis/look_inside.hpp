// Looking into a trained model: `translate heads` and `translate why`.
#pragma once

#include "../subcommand.hpp"

/// Takes out each head in turn, and says what becomes of BLEU.
Subcommand heads_command(CLI::App& app);
/// Says why a number of the gradient of a sentence pair is what it is.
Subcommand why_command(CLI::App& app);
