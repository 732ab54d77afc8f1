#include <gradual/nn/drawing/axis.hpp>

#include <algorithm>
#include <cmath>

#include <gradual/core/real.hpp>

namespace gradual {
namespace {

/// `digit` · 10^`exponent`, correctly rounded for the exponents of everyday figures.
double decimal(double digit, int exponent) {
  return exponent < 0 ? digit / std::pow(10.0, -exponent) : digit * std::pow(10.0, exponent);
}

/// The multiples of digit · 10^exponent from low to high. The edges may be off by a rounding error.
std::vector<double> multiples(double low, double high, double digit, int exponent) {
  const double step = decimal(digit, exponent);
  const double tolerance = 1e-9;
  const auto first = std::ceil(low / step - tolerance);
  const auto last = std::floor(high / step + tolerance);
  std::vector<double> result;
  // Beyond 2^53 a number plus 1 is that number.
  for (Index n = 0; first + static_cast<double>(n) <= last; ++n)
    result.push_back(decimal((first + static_cast<double>(n)) * digit, exponent));
  return result;
}

struct Step {
  double digit;
  int exponent;
};

/// The smallest step of 1, 2 or 5 · 10^n that is at least `smallest`.
Step round_step(double smallest) {
  const int exponent = static_cast<int>(std::floor(std::log10(smallest)));
  for (const double digit : {1.0, 2.0, 5.0}) {
    if (decimal(digit, exponent) >= smallest * (1 - 1e-9)) return {digit, exponent};
  }
  return {1, exponent + 1};
}

/// The step between at most `most` ticks from low to high.
Step step_between(double low, double high, int most) { return round_step((high - low) / (most - 1)); }

/// 1, and `within` (digits between 1 and 10), times the powers of ten, from low to high.
std::vector<double> decades(double low, double high, const std::vector<double>& within) {
  std::vector<double> result;
  for (int exponent = static_cast<int>(std::floor(std::log10(low))); decimal(1, exponent) <= high;
       ++exponent) {
    for (const double digit : within) {
      const double tick = decimal(digit, exponent);
      if (tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9)) result.push_back(tick);
    }
  }
  return result;
}

/// Every so many of `ticks`, at most `most`.
std::vector<double> thinned(const std::vector<double>& ticks, int most) {
  const std::size_t every =
      (ticks.size() + static_cast<std::size_t>(most) - 1) / static_cast<std::size_t>(most);
  std::vector<double> result;
  for (std::size_t i = 0; i < ticks.size(); i += every) result.push_back(ticks[i]);
  return result;
}

struct Range {
  double low, high;
};

/// From the lowest to the highest of the values that can be drawn; never empty. What differs by rounding
/// alone is one value, and what is nearer to 0 than any tick can be is 0.
Range range_of(const std::vector<double>& values, bool logarithmic) {
  constexpr double least = 1e-300, most = 1e300, rounding = 1e-12;
  std::vector<double> drawable;
  for (const double value : values) {
    if (std::abs(value) <= most && (!logarithmic || value >= least)) drawable.push_back(value);
  }
  if (drawable.empty()) return logarithmic ? Range{0.1, 1} : Range{0, 1};
  const auto [low, high] = std::minmax_element(drawable.begin(), drawable.end());
  const double largest = std::max(std::abs(*low), std::abs(*high));
  if (largest < least) return {0, 1};
  if (*high - *low > rounding * largest) return {*low, *high};
  return {*low - largest / 2, *low + largest / 2};
}

}  // namespace

double ChartAxis::position(double value) const {
  if (!logarithmic) return (value - low) / (high - low);
  return (std::log(value) - std::log(low)) / (std::log(high) - std::log(low));  // high / low may be too large
}

std::vector<double> linear_ticks(double low, double high, int most) {
  const Step step = step_between(low, high, most);
  return multiples(low, high, step.digit, step.exponent);
}

std::vector<double> log_ticks(double low, double high, int most) {
  const std::vector<double> tens = decades(low, high, {1});
  if (tens.size() >= 3) return thinned(tens, most);
  const std::vector<double> steps = decades(low, high, {1, 2, 5});
  return steps.size() >= 3 ? thinned(steps, most) : linear_ticks(low, high, most);
}

ChartAxis tight_axis(const std::vector<double>& values, int most_ticks) {
  Range range = range_of(values, false);
  if (range.low > 0 && range.low < 0.05 * range.high) range.low = 0;
  return {range.low, range.high, linear_ticks(range.low, range.high, most_ticks)};
}

ChartAxis loose_axis(const std::vector<double>& values, int most_ticks, bool logarithmic) {
  const Range range = range_of(values, logarithmic);
  if (logarithmic) {
    const double margin = std::pow(10.0, 0.05 * (std::log10(range.high) - std::log10(range.low)));
    const double low = std::max(range.low / margin, 1e-305);
    const double high = std::min(range.high * margin, 1e305);
    return {low, high, log_ticks(low, high, most_ticks), true};
  }
  const Step step = step_between(range.low, range.high, most_ticks);
  const double size = decimal(step.digit, step.exponent);
  const double low = std::floor(range.low / size + 1e-9) * size;
  const double high = std::ceil(range.high / size - 1e-9) * size;
  return {low, high, multiples(low, high, step.digit, step.exponent)};
}

}  // namespace gradual
