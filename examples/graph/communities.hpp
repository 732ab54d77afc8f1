// The default run: a generated graph, and three ways to use it.
#pragma once

#include <cstdint>
#include <string>

// Trains, prints a table and where some people look, and writes a page into the folder `out`; with `json`
// prints one JSON line instead.
void run_communities(std::uint64_t seed, const std::string& out, bool json);
