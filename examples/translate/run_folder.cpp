#include "run_folder.hpp"

#include <cmath>
#include <filesystem>
#include <iostream>

#include <sys/ioctl.h>
#include <unistd.h>

#include <gradual/core/error.hpp>
#include <gradual/core/files/atomic_file.hpp>
#include <gradual/nn/inspect/terminal_plot.hpp>

namespace files = std::filesystem;
using namespace gradual;
using Json = nlohmann::ordered_json;

RunFolder::RunFolder(const std::string& path) : path_(path) {
  std::error_code problem;
  files::create_directories(path, problem);
  if (problem) throw FileError(path, "the folder cannot be made: " + problem.message());
}

StepLog::StepLog(const std::string& path, Index keep_steps) : path_(path) {
  std::string text;
  std::ifstream before(path);
  for (std::string line; keep_steps > 0 && std::getline(before, line);) {
    const Json entry = Json::parse(line, nullptr, false);
    if (entry.is_discarded() || entry.value("step", Index(0)) > keep_steps) break;
    kept_.push_back(entry);
    text += line + "\n";
  }
  write_file_atomically(path, text);
  out_.open(path, std::ios::app);
  if (!out_) throw FileError(path, "cannot be written");
}

void StepLog::add(const Json& line) {
  out_ << line.dump() << std::endl;
  if (!out_) throw FileError(path_, "cannot be written");
}

Log::Log(const std::string& path, Index keep_steps) : file_(path, keep_steps) {
  for (const Json& line : file_.kept()) {
    const auto number = [&](const char* name) { return line.value(name, TrainingPoint::not_measured); };
    points_.push_back({line["step"], line["loss"], line["tokens_per_second"], line["learning_rate"],
                       number("validation_loss"), number("gradient_norm"), number("seconds"),
                       number("validation_bleu")});
  }
}

void Log::add(const TrainingStep& step, double tokens_per_second, double seconds, double validation_loss,
              double validation_bleu) {
  Json line = {{"step", step.step},
               {"loss", step.loss},
               {"learning_rate", step.learning_rate},
               {"gradient_norm", step.gradient_norm},
               {"tokens_per_second", std::round(tokens_per_second)},
               {"seconds", std::round(seconds * 1000) / 1000}};
  if (!std::isnan(validation_loss)) line["validation_loss"] = validation_loss;
  if (!std::isnan(validation_bleu)) line["validation_bleu"] = validation_bleu;
  file_.add(line);
  points_.push_back({step.step, step.loss, tokens_per_second, step.learning_rate, validation_loss,
                     step.gradient_norm, seconds, validation_bleu});
}

double Log::recent_loss() const {
  const std::size_t first = points_.size() > 50 ? points_.size() - 50 : 0;
  double total = 0;
  for (std::size_t i = first; i < points_.size(); ++i) total += points_[i].loss;
  return total / static_cast<double>(std::max<std::size_t>(points_.size() - first, 1));
}

std::string Log::plot() const {
  Series loss{"loss", {}, {}};
  for (const TrainingPoint& point : points_) {
    loss.x.push_back(static_cast<double>(point.step));
    loss.y.push_back(point.loss);
  }
  return terminal_plot(loss, 80, 8);
}

Reporter::Reporter(Index total_steps, bool quiet)
    : total_(total_steps), quiet_(quiet), live_(isatty(STDERR_FILENO)) {}

void Reporter::say(const std::string& line) const {
  if (!quiet_) std::cout << line << std::endl;
}

void Reporter::show(const Progress& progress) {
  if (quiet_) return;
  const bool due = seconds_since(shown_) > (live_ ? 0.1 : 10.0) || progress.step == total_;
  if (!due) return;
  shown_ = std::chrono::steady_clock::now();
  std::cerr << (live_ ? "\r\033[K" : "") << progress_line(progress, columns()) << (live_ ? "" : "\n")
            << std::flush;
}

void Reporter::end_line() const {
  if (!quiet_ && live_) std::cerr << "\n";
}

Index Reporter::columns() const {
  winsize size{};
  return live_ && ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 100;
}
