// Names at the ends of curves: which share a line, and where each stands.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <gradual/nn/drawing/thinned_curve.hpp>

namespace gradual {

/// What stands at the end of a curve, or of several that end at one place.
struct EndName {
  std::string words;
  std::size_t series;  ///< which curve it is; of several, one
  bool is_grey;        ///< and so not to be told by its colour
  CurvePoint end;      ///< from 0 to 1 over the chart, from the left and from the bottom
};

/// The names by where the curves end. With `sharing`, grey ones beside each other whose ends all but touch
/// become one: "learned, rotary".
std::vector<EndName> from_top_down(std::vector<EndName> names, bool sharing);

/// Places in the order of `wanted`, which ascends, at least `apart` from each other and from low to high, if
/// all have room there: each as near to where it is wanted as the others let it, in least squares.
std::vector<double> spread_out(const std::vector<double>& wanted, double apart, double low, double high);

}  // namespace gradual
