#include "progress.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include <gradual/core/error.hpp>
#include <gradual/nn/drawing/line_text.hpp>
#include <gradual/nn/drawing/number_text.hpp>

using namespace gradual;

namespace {

constexpr std::size_t kShortestBar = 10;
constexpr std::size_t kLongestBar = 40;
constexpr std::size_t kGap = 2;

std::string bar(double done, std::size_t width, bool unicode) {
  if (!unicode) {
    const auto full = static_cast<std::size_t>(done * static_cast<double>(width - 2));
    return "[" + std::string(full, '=') + std::string(width - 2 - full, ' ') + "]";
  }
  const auto halves = static_cast<std::size_t>(done * 2 * static_cast<double>(width));
  return repeated("━", halves / 2) + repeated("╸", halves % 2) + repeated("─", width - (halves + 1) / 2);
}

std::string step_text(const Progress& progress) {
  const std::string total = std::to_string(progress.total_steps);
  return right_in(total.size(), std::to_string(progress.step)) + "/" + total;
}

std::string loss_text(double loss) {
  return "loss " + (std::abs(loss) < 1000 ? fixed_text(loss, 3) : short_text(loss, 4));
}

std::string time_text(const Progress& progress) {
  if (progress.step == progress.total_steps) return "done in " + duration_text(progress.seconds);
  const double seconds_a_step = progress.seconds / static_cast<double>(progress.step);
  const double left = seconds_a_step * static_cast<double>(progress.total_steps - progress.step);
  return right_in(5, duration_text(left)) + " left";
}

void check(const Progress& progress, Index columns) {
  if (progress.total_steps < 1 || progress.step < 0 || progress.step > progress.total_steps) {
    throw std::invalid_argument(
        text("progress_line: the step must lie between 0 and the number of steps, which is at least 1: ",
             "step is ", progress.step, ", steps in all are ", progress.total_steps));
  }
  if (columns < 1) {
    throw std::invalid_argument(text("progress_line: there must be at least 1 column: columns is ", columns));
  }
}

}  // namespace

std::string progress_line(const Progress& progress, Index columns, bool unicode) {
  check(progress, columns);
  const std::string step = step_text(progress);
  const std::string loss = loss_text(progress.loss);
  const std::string speed = right_in(5, short_text(progress.tokens_per_second, 3)) + " tok/s";
  const std::string time = time_text(progress);
  const double done = static_cast<double>(progress.step) / static_cast<double>(progress.total_steps);
  const std::string percent = fixed_text(std::floor(100 * done), 0) + "%";

  struct Layout {
    bool has_bar;
    std::vector<std::string> fields;
  };
  std::vector<std::string> all = {step, loss, speed, time}, without_speed = {step, loss, time};
  if (!progress.what.empty()) {
    all.insert(all.begin(), progress.what);
    without_speed.insert(without_speed.begin(), progress.what);
  }
  if (progress.tokens_per_second <= 0) all = without_speed;
  const Layout layouts[] = {
      {true, all},           {true, without_speed}, {true, {step, loss, time}}, {false, {step, loss, time}},
      {false, {step, loss}}, {false, {step}},       {false, {percent}}};
  const auto room = static_cast<std::size_t>(columns);
  for (const Layout& layout : layouts) {
    std::string fields;
    for (const std::string& field : layout.fields)
      fields += (fields.empty() ? "" : std::string(kGap, ' ')) + field;
    const std::size_t needed = fields.size() + (layout.has_bar ? kShortestBar + kGap : 0);
    if (needed > room) continue;
    if (!layout.has_bar) return fields;
    const std::size_t width = std::min(kLongestBar, room - fields.size() - kGap);
    return bar(done, width, unicode) + std::string(kGap, ' ') + fields;
  }
  return "";
}
