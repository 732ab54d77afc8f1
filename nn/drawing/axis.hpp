// Axes of charts: their range, their round ticks, and where a value lies.
#pragma once

#include <string>
#include <vector>

namespace gradual {

/// One axis of a chart, linear or logarithmic.
struct ChartAxis {
  double low;
  double high;                ///< above low
  std::vector<double> ticks;  ///< the numbers that are written at it
  bool logarithmic = false;   ///< whether equal distances are equal factors

  /// Where `value` lies: 0 at low, 1 at high. Not finite for a value that is not, or that has no logarithm
  /// where one is needed.
  double position(double value) const;
};

/// The multiples of 1, 2 or 5 times a power of ten from low to high, at most `most` of them.
std::vector<double> linear_ticks(double low, double high, int most);

/// The powers of ten from low to high; with fewer than three, 1, 2 and 5 times these; with fewer than three
/// of them, linear_ticks. At most `most`. Low must be above 0.
std::vector<double> log_ticks(double low, double high, int most);

/// The axis from the lowest (or 0, if that is near) to the highest of `values` that can be drawn: for steps.
ChartAxis tight_axis(const std::vector<double>& values, int most_ticks);

/// The axis of the same values, linear ones widened to the next ticks, logarithmic ones by a little: for
/// measurements.
ChartAxis loose_axis(const std::vector<double>& values, int most_ticks, bool logarithmic);

}  // namespace gradual
