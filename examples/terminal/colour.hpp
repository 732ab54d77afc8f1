// Colours of a terminal, where a person looks at it and has not asked for none.
#pragma once

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

enum class Colour { soft, right, wrong, accent, strong };

/// Whether what is written to stdout or stderr may be coloured: it is a terminal that knows colours (TERM is
/// not "dumb"), and NO_COLOR (no-color.org) is not set.
bool has_colours(std::FILE* stream);

/// The text in a colour, or as it is where the stream has none. No colour goes over the end of the text.
std::string in_colour(const std::string& text, Colour colour, std::FILE* stream = stdout);

/// Each ✓ in the colour of what is right, and each ✗ in that of what is wrong.
std::string with_marks_in_colour(std::string text, std::FILE* stream = stdout);

/// Each run of blocks, ▁ to █, in the colour of a bar.
std::string with_blocks_in_colour(const std::string& text, std::FILE* stream = stdout);

/// The table, with each line that begins with one of these names and a space in that name's colour.
std::string with_rows_in_colour(const std::string& table,
                                const std::vector<std::pair<std::string, Colour>>& names,
                                std::FILE* stream = stdout);

/// The two places that a reader looks for, strong: the question that a text begins with, where it is a
/// paragraph of its own, and the "In short:" of a line.
std::string with_landmarks_strong(std::string text, std::FILE* stream = stdout);

/// The lines of a text, those of more than `columns` columns broken between words and gone on with as far in;
/// a longer word stands alone. A number keeps its % or °C.
std::string wrapped(const std::string& text, int columns);
/// The same for stdout: broken where a person reads it, else as it is.
std::string wrapped_for_output(const std::string& text);
/// The same for a text whose lines are long: broken at 80 columns where nobody reads it.
std::string lines_for_output(const std::string& text);
