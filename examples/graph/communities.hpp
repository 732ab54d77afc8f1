// The default run: a generated graph, and three ways to use it.
#pragma once

#include "../page_program.hpp"

// Trains, prints a table and where some people look, and leaves a page.
void run_communities(const PageSettings& settings);
