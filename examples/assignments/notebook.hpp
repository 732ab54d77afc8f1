// An assignment as a notebook: each part a cell that writes its file, and one that grades it.
#pragma once

#include "commands.hpp"

/// Writes coursework/02-softmax/02-softmax.ipynb unless it is there, and returns its path. Throws
/// std::invalid_argument for what is no whole assignment.
std::string write_notebook(const Desk& desk, const std::string& assignment);
