// Looks at a model at some moments of its training, for the page of the run.
#pragma once

#include <limits>
#include <set>
#include <string>
#include <vector>

#include <gradual/nn/inspect/milestones.hpp>
#include <gradual/nn/training/run_log.hpp>
#include <gradual/nn/translation/evaluation.hpp>

namespace gradual {

/// Translates a few held-out sentences by greedy search after some ten steps, each 1.6 times the one before,
/// and keeps what came out in a file, so that a run that goes on still has it.
class MilestoneLog {
 public:
  /// Goes on with what the file has up to a step, but for looks at other sentences, which a fork may have
  /// from its origin: these stay in the file alone. Looks at some held-out pairs and at those whose words are
  /// known to belong together. Throws FileError.
  MilestoneLog(const std::string& path, Index keep_steps, Index total_steps,
               const std::vector<HeldOutSet>& held_out, const std::vector<AlignedPair>& aligned,
               const Translator& translator);
  bool is_due(Index step) const { return due_.count(step) > 0; }
  /// `gradient_norm` is the length of the gradient that the parameters have from the step, which may be a
  /// multiple of it; NaN: it is not known. Nothing is kept of a model that cannot search, because no word is
  /// likely: the next step of its training says what is wrong.
  void add(Index step, const Translator& translator,
           double gradient_norm = std::numeric_limits<double>::quiet_NaN());
  const std::vector<Milestone>& milestones() const { return milestones_; }

 private:
  std::vector<Milestone> milestones_;
  StepLog file_;
  std::set<Index> due_;
  std::vector<SentencePair> pairs_;
  std::vector<AlignedPair> aligned_;
};

}  // namespace gradual
