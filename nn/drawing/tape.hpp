// A tape: results in the order of their creation, and a walk back over them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace gradual {

/// A result on a tape: its value, the earlier results that it was made of, and its slope along each of them.
struct TapeEntry {
  std::string name;
  double value = 0;
  std::vector<std::size_t> inputs;  ///< counted from 0
  std::vector<double> slopes;       ///< ∂value/∂input, for each input
};

/// The tape as an SVG: a row of results from the oldest to the youngest, arcs from each input to what was
/// made of it with the slope along it, and below each result its slope of the last one, ∂y/∂result, as far as
/// a walk from the end has come.
///
/// Entries from `walked` on have handed on their slopes: their arcs have the product that was handed on. The
/// entry before them has had all its shares; a sum that is still waiting for some is paler. Throws
/// std::invalid_argument if there is no entry, an input is not earlier than its result, an entry has not a
/// slope for each input, `gradients` has not a number for each entry, or `walked` is larger than the number
/// of entries.
std::string draw_tape(const std::vector<TapeEntry>& entries, const std::vector<double>& gradients,
                      std::size_t walked);

}  // namespace gradual
