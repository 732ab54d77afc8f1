// Looks at a model at some moments of its training, for the page of the run.
#pragma once

#include <set>
#include <string>
#include <vector>

#include <gradual/nn/inspect/milestones.hpp>
#include <gradual/nn/translation/translator.hpp>

#include "corpora.hpp"
#include "run_folder.hpp"

/// Translates a few held-out sentences by greedy search after some ten steps, each 1.6 times the one before,
/// and keeps what came out in a file, so that a run that goes on still has it.
class MilestoneLog {
 public:
  /// Keeps what the file has up to a step; throws gradual::FileError.
  MilestoneLog(const std::string& path, gradual::Index keep_steps, gradual::Index total_steps,
               const Corpora& corpora, const gradual::Translator& translator);
  bool is_due(gradual::Index step) const { return due_.count(step) > 0; }
  /// Leaves the model in training mode.
  void add(gradual::Index step, const gradual::Translator& translator);
  const std::vector<gradual::Milestone>& milestones() const { return milestones_; }

 private:
  std::vector<gradual::Milestone> milestones_;
  StepLog file_;
  std::set<gradual::Index> due_;
  std::vector<gradual::SentencePair> pairs_;
  std::vector<gradual::AlignedPair> aligned_;
};
