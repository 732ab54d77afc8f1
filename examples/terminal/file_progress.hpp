// How far a program is that rewrites a large file.
#pragma once

#include <chrono>
#include <cmath>
#include <iostream>
#include <string>

#include <gradual/core/real.hpp>

/// Says every few seconds how many lines there are, and at first where it goes on.
class FileProgress {
 public:
  explicit FileProgress(std::string output) : output_(std::move(output)) {}
  void operator()(gradual::Index lines) {
    if (first_ < 0) {
      first_ = lines;
      if (lines > 0) std::cerr << output_ << ": goes on after line " << lines << std::endl;
    }
    const Clock::time_point now = Clock::now();
    if (now - said_ < std::chrono::seconds(5)) return;
    said_ = now;
    const double seconds = std::chrono::duration<double>(now - start_).count();
    std::cerr << output_ << ": " << lines << " lines, "
              << std::llround(static_cast<double>(lines - first_) / seconds) << " a second" << std::endl;
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::string output_;
  gradual::Index first_ = -1;
  Clock::time_point start_ = Clock::now(), said_ = start_;
};
