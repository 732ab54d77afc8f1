// Any step of a run again, and what two runs did differently: `translate rebuild` and `translate diff`.
#pragma once

#include <string>

#include "../settings.hpp"
#include "../subcommand.hpp"

/// The settings that a run wrote into its folder. Throws gradual::FileError where there is no run.
TrainSettings settings_of_run(const std::string& folder);

Subcommand rebuild_command(CLI::App& app);
Subcommand diff_command(CLI::App& app);
