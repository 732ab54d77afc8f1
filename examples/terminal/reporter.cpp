#include "reporter.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <iterator>
#include <memory>
#include <sstream>
#include <utility>

#include <gradual/nn/drawing/number_text.hpp>
#include <gradual/nn/text/utf8.hpp>

#include "colour.hpp"
#include "console.hpp"
#include "plot.hpp"

using namespace gradual;

std::string plot_of(const std::vector<TrainingPoint>& points, Index columns) {
  constexpr Index narrowest = 40, widest = 80;
  const Index width = std::clamp(columns, narrowest, widest);
  const auto measured = [&](const char* name, double TrainingPoint::*number) {
    Series series{name, {}, {}};
    for (const TrainingPoint& point : points) {
      if (std::isnan(point.*number)) continue;
      series.x.push_back(static_cast<double>(point.step));
      series.y.push_back(point.*number);
    }
    return series;
  };
  std::string plots = terminal_plot(measured("loss", &TrainingPoint::loss), width, 8) + "\n";
  for (const auto& [name, number] : {std::pair("validation loss  ", &TrainingPoint::validation_loss),
                                     std::pair("validation BLEU  ", &TrainingPoint::validation_bleu),
                                     std::pair("learning rate    ", &TrainingPoint::learning_rate),
                                     std::pair("gradient norm    ", &TrainingPoint::gradient_norm)}) {
    const std::vector<double> values = measured(name, number).y;
    if (values.empty()) continue;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    const std::string range = "  " + short_text(*low, 3) + " to " + short_text(*high, 3);
    const std::string label = name;
    const std::string line = sparkline(values, width - static_cast<Index>(label.size() + range.size()));
    plots += label + line + range + "\n";
  }
  return plots;
}

Reporter::Reporter(Index total_steps, bool quiet)
    : total_(total_steps), quiet_(quiet), live_(is_terminal(stderr)) {
  outlive_reader();
}

void Reporter::say(const std::string& line) const {
  if (!quiet_) std::cout << line << std::endl;
}

void Reporter::say_wrapped(const std::string& line) const {
  say(with_marks_in_colour(live_ ? wrapped(line, static_cast<int>(columns())) : line));
}

void Reporter::show(const Progress& progress) {
  if (quiet_) return;
  const auto now = std::chrono::steady_clock::now();
  const bool due =
      now - shown_ > std::chrono::duration<double>(live_ ? 0.1 : 10.0) || progress.step == total_;
  if (!due) return;
  shown_ = now;
  const std::string line = progress_line(progress, columns());
  if (!live_) {
    std::cerr << line << "\n" << std::flush;
    return;
  }
  const std::size_t end_of_bar = line.find_first_of(" ");
  std::cerr << "\r\033[K" << in_colour(line.substr(0, end_of_bar), Colour::accent, stderr)
            << (end_of_bar == std::string::npos ? "" : line.substr(end_of_bar));
  if (!below_.empty()) std::cerr << "\n\033[K" << below_ << "\033[A\r";
  std::cerr << std::flush;
}

void Reporter::show_below(const std::function<std::string(Index)>& note) {
  if (quiet_ || !live_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - noted_ < std::chrono::seconds(1)) return;
  below_ = note(columns());
  noted_ = std::chrono::steady_clock::now();
}

void Reporter::end_line() const {
  if (!quiet_ && live_) std::cerr << (below_.empty() ? "\n" : "\n\n");
}

void Reporter::clear() const {
  if (!quiet_ && live_) std::cerr << "\r\033[K" << std::flush;
}

Index Reporter::columns() const {
  const int known = live_ ? terminal_columns() : 0;
  return known > 0 ? known : 100;
}

void show_progress(Trainer& trainer, Index steps, const std::string& what, bool quiet) {
  const std::shared_ptr<Reporter> reporter(new Reporter(steps, quiet), [](Reporter* ended) {
    ended->clear();  // with its trainer
    delete ended;
  });
  trainer.every(1, [=](const TrainingStep& now) {
    reporter->show({now.step, steps, now.loss, 0, now.seconds, what});
  });
}

std::string sentence_line(const std::string& sentence, const std::string& translation,
                          const std::string& right, Index columns) {
  const auto width_of = [](const std::string& word) {  // letters of the East are two columns wide
    Index width = 0;
    for (const char32_t letter : decode_utf8(word)) width += letter < 0x1100 ? 1 : 2;
    return width;
  };
  const auto split = [](const std::string& words) {
    std::istringstream stream(words);
    return std::vector<std::string>(std::istream_iterator<std::string>(stream), {});
  };
  const std::string arrow = " → ";
  const bool has_room = width_of(sentence + arrow) + columns / 3 <= columns;
  std::string line = has_room ? in_colour(sentence + arrow, Colour::soft, stderr) : "";
  Index room = columns - 1 - (has_room ? width_of(sentence + arrow) : 0);
  if (split(translation).empty()) return line + in_colour("(nothing yet)", Colour::soft, stderr);
  const std::vector<std::string> wanted = split(right);
  std::size_t place = 0;
  for (const std::string& word : split(translation)) {
    room -= width_of(word) + 1;
    if (room < 2) return line + " …";
    const bool here = place < wanted.size() && wanted[place] == word;
    const bool elsewhere = std::find(wanted.begin(), wanted.end(), word) != wanted.end();
    line += (place++ == 0 ? "" : " ") + in_colour(word,
                                                  here        ? Colour::right
                                                  : elsewhere ? Colour::accent
                                                              : Colour::soft,
                                                  stderr);
  }
  return line;
}
