// Curves: how something changes with another.
#pragma once

#include <string>
#include <vector>

namespace gradual {

/// One curve. A point whose x or y is not finite interrupts it.
struct Series {
  std::string name;  ///< of the curve, in the legend
  std::vector<double> x;
  std::vector<double> y;  ///< as many as x
  bool dashed = false;    ///< for what is not measured: a limit
  bool faint = false;     ///< grey and thin, so that others stand out: it takes none of their colours
  int colour = -1;        ///< number of its colour, 0 … 5, to be the same in several charts; -1: its place
};

/// One or more curves over the same x, and how to draw them.
struct LineChart {
  std::string title;                 ///< what y is, with its unit
  std::string x_label;               ///< what x is: "step"
  std::vector<Series> series;        ///< its curves
  bool log_y = false;                ///< a logarithmic y axis; a y of 0 or less then interrupts a curve
  int width = 720;                   ///< pixels
  int height = 320;                  ///< pixels; each further line of title and legend adds its own
  bool log_x = false;                ///< a logarithmic x axis, for lengths that double; as log_y
  std::vector<double> x_ticks = {};  ///< where the x axis is marked; empty: at round numbers
  std::vector<double> x_lines = {};  ///< where a dashed line stands across the chart
  bool from_zero = false;  ///< a y axis that holds 0, for shares; without effect on a logarithmic one
  /// Names at the ends of the curves instead of a legend, and at each point of those that are not grey a mark
  /// of the curve's own shape: for many curves of few points, which not everyone can tell apart by their
  /// colours. Grey ones that end at one place share a name. Names that would take more than three tenths of
  /// the width stand in the legend, with their marks.
  bool names_at_ends = false;
  /// Both axes over the same range, in a square: for what is compared with the same of another source. The
  /// height is then as the width has it; both axes are linear.
  bool equal_axes = false;
  std::string unit = {};  ///< behind each value that is shown, with its space: " %"
};

/// The chart as an SVG, with ticks at round numbers and, for several curves, a legend. Resting anywhere on it
/// shows the values there. A curve keeps the first, last, lowest and highest point of each pixel column,
/// which draws the same line as all points do (Jugel et al. 2014, "M4"). Throws std::invalid_argument if a
/// series does not have as many x as y, or the chart is narrower than 200 or lower than 120.
std::string draw_line_chart(const LineChart& chart);

}  // namespace gradual
