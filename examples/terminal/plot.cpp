#include "plot.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/axis.hpp>
#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/drawing/number_text.hpp>

using namespace gradual;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// A block that fills `eighths` of a line from below.
std::string_view block(int eighths) {
  constexpr std::string_view blocks[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  return blocks[std::clamp(eighths, 0, 8)];
}

double finite_mean(const std::vector<double>& values, std::size_t begin, std::size_t end) {
  double sum = 0;
  int count = 0;
  for (std::size_t i = begin; i < end; ++i) {
    if (!std::isfinite(values[i])) continue;
    sum += values[i];
    ++count;
  }
  return count == 0 ? kNaN : sum / count;
}

/// The values shared out to at most `columns` columns, the mean of each; NaN where a column has no finite
/// value.
std::vector<double> column_means(const std::vector<double>& values, Index columns) {
  const std::size_t count = std::min(values.size(), static_cast<std::size_t>(columns));
  std::vector<double> means;
  for (std::size_t c = 0; c < count; ++c) {
    means.push_back(finite_mean(values, c * values.size() / count, (c + 1) * values.size() / count));
  }
  return means;
}

}  // namespace

std::string sparkline(const std::vector<double>& values, Index columns) {
  if (columns < 1)
    throw std::invalid_argument(text("sparkline: there must be at least 1 column: columns is ", columns));
  const std::vector<double> means = column_means(values, columns);
  double low = kNaN, high = kNaN;
  for (const double mean : means) {
    low = std::fmin(low, mean);
    high = std::fmax(high, mean);
  }
  std::string line;
  for (const double mean : means) {
    const double height = high > low ? (mean - low) / (high - low) : 0;
    line += std::isnan(mean) ? " " : block(1 + static_cast<int>(std::lround(7 * height)));
  }
  return line;
}

std::string terminal_bar(double share, Index columns) {
  if (!(share >= 0 && share <= 1))
    throw std::invalid_argument(text("terminal_bar: the share must be from 0 to 1: it is ", share));
  constexpr std::string_view parts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const long eighths = std::lround(share * 8 * static_cast<double>(columns));
  return repeated("█", static_cast<std::size_t>(eighths / 8)) + std::string(parts[eighths % 8]);
}

std::string terminal_plot(const Series& series, Index columns, Index rows) {
  if (series.x.size() != series.y.size()) {
    throw std::invalid_argument(text("terminal_plot: a series must have as many x as y: \"", series.name,
                                     "\" has ", series.x.size(), " x and ", series.y.size(), " y"));
  }
  if (columns < 20 || rows < 2) {
    throw std::invalid_argument(
        text("terminal_plot: there must be at least 20 columns and 2 rows: got ", columns, " and ", rows));
  }
  if (series.x.empty()) return series.name + "\n";

  const ChartAxis axis = loose_axis(series.y, static_cast<int>(rows) + 1, false);
  const std::string highest = short_text(axis.high, 4);
  const std::string lowest = short_text(axis.low, 4);
  const std::size_t margin = std::max(highest.size(), lowest.size());
  const std::vector<double> means = column_means(series.y, columns - static_cast<Index>(margin) - 2);

  std::string plot = series.name + "\n";
  for (Index row = rows - 1; row >= 0; --row) {
    plot += right_in(margin, row == rows - 1 ? highest : row == 0 ? lowest : "") + " │";
    for (const double mean : means) {
      const double filled =
          std::isnan(mean) ? 0 : axis.position(mean) * static_cast<double>(rows) - static_cast<double>(row);
      plot += block(static_cast<int>(std::lround(8 * filled)));
    }
    plot += "\n";
  }
  const std::string first = short_text(series.x.front(), 6);
  const std::string last = short_text(series.x.back(), 6);
  const std::size_t gap = means.size() - std::min(means.size(), first.size());
  return plot + std::string(margin + 2, ' ') + first + right_in(gap, last) + "\n";
}
