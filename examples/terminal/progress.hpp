// One line that says how far training is.
#pragma once

#include <string>

#include <gradual/core/real.hpp>

/// Where training stands.
struct Progress {
  gradual::Index step;         ///< steps done
  gradual::Index total_steps;  ///< steps in all
  double loss;
  double tokens_per_second;  ///< 0 where there are no tokens: it is left out
  double seconds;            ///< since the start
  std::string what = {};     ///< is trained, where a program trains several
};

/// The line, at most `columns` wide and without a line end: a bar, steps, loss, tokens a second, and the time
/// left if every step to come takes as long as the steps so far. In a narrow terminal the less needed parts
/// are left out, in the end all. With `unicode` false it is plain ASCII.
///
///     ━━━━━━━━━━━━╸─────────────────  1250/3000  loss 1.234  12.3k tok/s   0:42 left
///
/// Throws std::invalid_argument unless 0 ≤ step ≤ total_steps, 1 ≤ total_steps, and 1 ≤ columns.
std::string progress_line(const Progress& progress, gradual::Index columns, bool unicode = true);
