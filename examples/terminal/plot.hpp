// Curves in a terminal, from Unicode's block characters.
#pragma once

#include <string>
#include <vector>

#include <gradual/core/real.hpp>
#include <gradual/nn/drawing/line_chart.hpp>

/// The values as one line of blocks, ▁ the lowest and █ the highest: ▁▂▄▇█▇▄▂▁. At most `columns` wide; a
/// column is the mean of its share of the values, and blank where none is finite. Throws
/// std::invalid_argument if columns < 1.
std::string sparkline(const std::vector<double>& values, gradual::Index columns);

/// A share of 1 as a bar of at most so many blocks, to the nearest eighth of one: ██████▎. Throws
/// std::invalid_argument unless the share is from 0 to 1.
std::string terminal_bar(double share, gradual::Index columns);

/// One curve as a plot of `rows` lines of blocks under its name, with y at the left and the first and last x
/// below; every line ends with a line feed and is at most `columns` wide. The points are taken to be evenly
/// spaced. Throws std::invalid_argument if the series does not have as many x as y, or there is no room:
/// columns < 20 or rows < 2.
std::string terminal_plot(const gradual::Series& series, gradual::Index columns, gradual::Index rows);
