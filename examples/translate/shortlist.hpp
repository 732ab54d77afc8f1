// Which words may translate which, for searches that look at few: `translate shortlist`.
#pragma once

#include "subcommand.hpp"

Subcommand shortlist_command(CLI::App& app);
