#include "reporter.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <utility>

#include <gradual/nn/drawing/number_text.hpp>

#include "console.hpp"
#include "plot.hpp"

using namespace gradual;

std::string plot_of(const std::vector<TrainingPoint>& points) {
  const auto measured = [&](const char* name, double TrainingPoint::*number) {
    Series series{name, {}, {}};
    for (const TrainingPoint& point : points) {
      if (std::isnan(point.*number)) continue;
      series.x.push_back(static_cast<double>(point.step));
      series.y.push_back(point.*number);
    }
    return series;
  };
  std::string plots = terminal_plot(measured("loss", &TrainingPoint::loss), 80, 8) + "\n";
  for (const auto& [name, number] : {std::pair("validation loss  ", &TrainingPoint::validation_loss),
                                     std::pair("validation BLEU  ", &TrainingPoint::validation_bleu),
                                     std::pair("learning rate    ", &TrainingPoint::learning_rate),
                                     std::pair("gradient norm    ", &TrainingPoint::gradient_norm),
                                     std::pair("tokens a second  ", &TrainingPoint::tokens_per_second)}) {
    const std::vector<double> values = measured(name, number).y;
    if (values.empty()) continue;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    plots += name + sparkline(values, 36) + "  " + short_text(*low, 3) + " to " + short_text(*high, 3) + "\n";
  }
  return plots;
}

Reporter::Reporter(Index total_steps, bool quiet)
    : total_(total_steps), quiet_(quiet), live_(is_terminal(stderr)) {}

void Reporter::say(const std::string& line) const {
  if (!quiet_) std::cout << line << std::endl;
}

void Reporter::show(const Progress& progress) {
  if (quiet_) return;
  const auto now = std::chrono::steady_clock::now();
  const bool due =
      now - shown_ > std::chrono::duration<double>(live_ ? 0.1 : 10.0) || progress.step == total_;
  if (!due) return;
  shown_ = now;
  std::cerr << (live_ ? "\r\033[K" : "") << progress_line(progress, columns()) << (live_ ? "" : "\n")
            << std::flush;
}

void Reporter::end_line() const {
  if (!quiet_ && live_) std::cerr << "\n";
}

Index Reporter::columns() const {
  const int known = live_ ? terminal_columns() : 0;
  return known > 0 ? known : 100;
}
