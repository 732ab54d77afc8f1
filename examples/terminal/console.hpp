// A terminal, on the system at hand.
#pragma once

#include <cstdio>

/// Whether a person sits at the other end of stdin, stdout or stderr.
bool is_terminal(std::FILE* stream);

/// How many letters a line of the terminal at stderr has; 0 where it cannot be known.
int terminal_columns();
