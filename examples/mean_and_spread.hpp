// Several runs of one kind in two numbers, how far chance moves a share, and what is said of it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

struct MeanAndSpread {
  double mean = 0, spread = 0;
};

/// The standard error of a share of `of` things, √(p·(1 - p)/n), both in per cent. Of none or all of them p
/// is taken to be as far from 0 or 1 as Laplace's rule says, 1/(n + 2): a few things do not make it certain.
inline double standard_error(double share, double of) {
  const double least = 100 / (of + 2), p = std::clamp(share, least, 100 - least);
  return std::sqrt(p * (100 - p) / std::max(of, 1.0));
}

/// How far such a share comes from a known one by chance in 19 of 20 cases: two standard errors.
inline double chance_off(double share, double of) { return 2 * standard_error(share, of); }

/// How far two such shares come apart by chance in 19 of 20 cases: two standard errors of their difference.
inline double chance_apart(double a, double b, double of) {
  return 2 * std::hypot(standard_error(a, of), standard_error(b, of));
}

/// Whether they are no farther apart than that.
inline bool may_be_chance(double a, double b, double of) { return std::abs(a - b) <= chance_apart(a, b, of); }

/// What the label of a ranking says where so many of the first are in colour.
inline std::string in_colour_text(std::size_t best) {
  return best == 0   ? ""
         : best == 1 ? "; in colour, the best"
                     : "; in colour, the best and all that are within chance of it";
}

/// The mean of some figures, and their standard deviation, s² = Σ (x - mean)² / (n - 1); 0 for a single one.
inline MeanAndSpread mean_and_spread(const std::vector<double>& figures) {
  const auto count = static_cast<double>(figures.size());
  MeanAndSpread result;
  double squares = 0;
  for (const double figure : figures) result.mean += figure / count;
  for (const double figure : figures) squares += (figure - result.mean) * (figure - result.mean);
  if (figures.size() > 1) result.spread = std::sqrt(squares / (count - 1));
  return result;
}
