// What a run leaves in its folder, and what it says while it goes on.
#pragma once

#include <chrono>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <gradual/core/files/lock.hpp>
#include <gradual/nn/inspect/run_page.hpp>
#include <gradual/nn/training/checkpoint.hpp>
#include <gradual/nn/training/trainer.hpp>

#include "terminal/progress.hpp"

/// The places of a run's files. While it lives, no other run can have the folder.
class RunFolder {
 public:
  /// Makes the folder and takes away what a killed run did not finish writing. Throws gradual::FileError,
  /// also when another run is writing there.
  explicit RunFolder(const std::string& path);
  /// Makes room for a run with these settings on the text of this fingerprint. The same run again takes the
  /// place of a finished one; the files of any other are moved to a folder inside this one. Says so, or
  /// nothing where nothing was moved.
  std::string make_room(const std::string& settings, const std::string& text) const;
  /// Throws std::invalid_argument where a run would write over this file, which it reads.
  void require_elsewhere(const std::string& input) const;
  /// Reads the checkpoint back. Its note is JSON with "settings" and "text": throws std::invalid_argument
  /// unless these are the settings and the fingerprint of the text (one that is too old to name a text suits
  /// any), and gradual::FileError.
  void load_checkpoint(gradual::TrainingState& state, const std::string& settings,
                       const std::string& text) const;
  /// What to type to go on with the run that is here.
  std::string how_to_go_on() const;
  std::string model() const { return file("model.safetensors"); }
  std::string best() const { return file("best.safetensors"); }
  std::string checkpoint() const { return file("checkpoint.safetensors"); }
  /// The settings as a config file: the same run again.
  std::string settings() const { return file("settings.conf"); }
  std::string log() const { return file("log.jsonl"); }
  std::string milestones() const { return file("milestones.jsonl"); }
  /// What makes a run a finished one.
  std::string page() const { return file("page.html"); }
  std::string vocabulary(const std::string& side) const { return file(side + ".vocabulary.txt"); }
  /// The snapshot number `n`; a run keeps the last few under numbers that come round again.
  std::string snapshot(gradual::Index n) const {
    return file("snapshot-" + std::to_string(n) + ".safetensors");
  }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  /// Why what is here must not be replaced by a run with these settings on this text; nothing if it may be.
  std::string reason_to_keep(const std::string& settings, const std::string& text) const;

  std::string path_;
  gradual::FileLock lock_;
};

/// A file of JSON lines, each for a step. Going on after an interruption keeps the lines up to the
/// checkpoint.
class StepLog {
 public:
  using Json = nlohmann::ordered_json;
  /// Calls `read` with each line that is kept. Throws gradual::FileError, also with the line that is damaged:
  /// no JSON object with a step, or one that `read` cannot read.
  StepLog(const std::string& path, gradual::Index keep_steps, const std::function<void(const Json&)>& read);
  void add(const Json& line);

 private:
  std::string path_;
  std::ofstream out_;
};

/// The log of a run: one line a step.
class Log {
 public:
  Log(const std::string& path, gradual::Index keep_steps);
  /// A validation loss or BLEU that was not measured is NaN.
  void add(const gradual::TrainingStep& step, double tokens_per_second, double seconds,
           double validation_loss, double validation_bleu);
  const std::vector<gradual::TrainingPoint>& points() const { return points_; }
  /// The mean loss of the last steps.
  double recent_loss() const;
  /// The curves for a terminal: the loss, and each other number as a line of blocks.
  std::string plot() const;

 private:
  std::vector<gradual::TrainingPoint> points_;
  StepLog file_;
};

/// Says how training goes: one live line on a terminal, a line now and then in a file, nothing when quiet.
class Reporter {
 public:
  Reporter(gradual::Index total_steps, bool quiet);
  void say(const std::string& line) const;
  void show(const Progress& progress);
  void end_line() const;

 private:
  gradual::Index columns() const;

  gradual::Index total_;
  bool quiet_, live_;
  std::chrono::steady_clock::time_point shown_{};
};

inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}
