// A finished run, as its page and its line of figures show it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <gradual/nn/inspect/run_page.hpp>
#include <gradual/nn/translation/evaluation.hpp>
#include <gradual/nn/translation/run/training_run.hpp>

namespace gradual {

/// What came of a run that trained a translator.
struct RunResult {
  std::vector<Evaluation> evaluations;  ///< of each test set
  std::vector<TrainingPoint> training;  ///< the log
  std::vector<Milestone> milestones;    ///< what it translated on the way
  double loss = 0;                      ///< the mean of the last steps
  double lowest_loss = 0;               ///< see lowest_loss()
  double best_validation = TrainingPoint::not_measured;
  double seconds = 0, tokens_per_second = 0;
  Index steps = 0, pairs = 0, left_out = 0, validation_left_out = 0;
};

/// All of it that the run knows itself: neither evaluations, milestones nor the lowest loss.
RunResult result_of(const TrainingRun& run);

/// The least that the loss can be where labels are smoothed by ε, with V tokens to choose from: the entropy
/// -Σ_j q_j·ln q_j of q_j = (1 - ε)·[j = target] + ε/V. Without smoothing it is 0.
double lowest_loss(double label_smoothing, Index vocabulary);

/// What training had of the sentences of these tests, in a sentence: "None of these sentences was seen in
/// training." Test sets that are files of their own may have any: of them that is said which was counted.
std::string seen_in_training(const std::vector<Evaluation>& evaluations);

/// A search that leaves a tree to look at, which a greedy one does not: with three to five hypotheses.
BeamOptions search_to_look_at(BeamOptions search);

/// The page: figures, curves, milestones, some translations of each held-out set, mistakes among them, the
/// searches and the attention of the first ones as far as there is room, and the settings.
Run describe(const Translator& translator, const RunSettings& settings, const RunResult& result);

/// A setting that changes nothing, and why: `subwords`, where "units is not subwords".
struct IdleSetting {
  std::string key, why;
};

/// Those of settings in lines of a config file that do not apply to its kind of model, text or search.
std::vector<IdleSetting> idle_settings(const std::string& used);

/// The settings that make this run what it is: without those that are off or idle.
std::vector<std::pair<std::string, std::string>> settings_in_effect(const std::string& used);

/// The figures as one line of JSON: of training, and `held_out`, those of figures().
std::string figures_line(const Translator& translator, const RunResult& result);

}  // namespace gradual
