// What a run leaves in its folder, and what it says while it goes on.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include <gradual/core/files/lock.hpp>
#include <gradual/nn/training/run_log.hpp>
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
  /// What a checkpoint of a run with these settings on the text of this fingerprint says of itself.
  static std::string note(const std::string& settings, const std::string& text);
  /// Goes on from the checkpoint. Throws std::invalid_argument where its note is another, and
  /// gradual::FileError.
  void resume(gradual::Trainer& trainer, gradual::Random& random, const std::string& settings,
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

/// The curves of a log for a terminal: the loss, and each other number as a line of blocks.
std::string plot_of(const std::vector<gradual::TrainingPoint>& points);

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
