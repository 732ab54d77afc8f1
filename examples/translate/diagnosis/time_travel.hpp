// Any step of a run again, and what two runs did differently: `translate rebuild` and `translate diff`.
#pragma once

#include <memory>
#include <string>

#include "../corpora.hpp"
#include "../subcommand.hpp"
#include "../training.hpp"

/// A run that is in a folder, as it is trained.
class EarlierRun {
 public:
  /// The team must live as long. Throws gradual::FileError where there is no run, and for a text that is
  /// gone.
  EarlierRun(const std::string& folder, const gradual::Team& team);
  /// The training as it was after a step; each call begins anew. Throws std::invalid_argument for a step that
  /// cannot be made again, and std::runtime_error where this program makes other numbers than the log has.
  std::unique_ptr<Training> after(gradual::Index step) const;

  /// The first that can be made again: a fork begins with the step after.
  gradual::Index first_step() const { return settings_.fork.empty() ? 1 : settings_.at_step + 1; }
  /// Its settings as text.
  std::string written_settings() const;
  const std::vector<gradual::TrainingPoint>& log() const { return log_; }
  std::string file(const std::string& name) const { return folder_ + "/" + name; }

 private:
  std::string folder_;
  const gradual::Team& team_;
  TrainSettings settings_;
  std::vector<gradual::TrainingPoint> log_;
  Corpora corpora_;
};

/// Writes the state that a run is forked from to `checkpoint`, and what the earlier run wrote down up to
/// there into the folder of the new one.
void fork_run(const TrainSettings& settings, const gradual::Team& team, const std::string& folder,
              const std::string& checkpoint);

Subcommand rebuild_command(CLI::App& app);
Subcommand diff_command(CLI::App& app);
