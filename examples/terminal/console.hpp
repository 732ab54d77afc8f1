// A terminal, on the system at hand.
#pragma once

#include <cstdio>

/// Whether a person sits at the other end of stdin, stdout or stderr.
bool is_terminal(std::FILE* stream);

/// Whether it is a terminal that takes the usual codes for colours.
bool shows_colours(std::FILE* stream);

/// From here on, what is written to a pipe whose reader has ended is lost and nothing else: a training that
/// somebody watched by `| head` goes on to its end.
void outlive_reader();

/// How many letters a line of the terminal at stderr has; 0 where it cannot be known.
int terminal_columns();

/// How many letters a line of stdout has where a person reads it; 0 elsewhere: lines may be as long as they
/// are.
inline int output_columns() { return is_terminal(stdout) ? terminal_columns() : 0; }
