// How far each kind of position carries beyond the lengths of training.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <gradual/nn/data/recall.hpp>

/// What all kinds of positions have in common.
struct LengthSettings {
  gradual::Index steps = 1000, batch = 32, width = 32, heads = 4, trained_length = 16;
  double learning_rate = 0.005;
  std::uint64_t seed = 1;
  bool quiet = false;
  std::vector<gradual::Index> lengths{8, 16, 32, 64, 128, 256};
  gradual::RecallSizes sizes;
};

/// What became of one kind.
struct LengthOutcome {
  std::string positions;
  gradual::Index parameters = 0;
  double cpu_seconds = 0;          // of training, all threads together
  std::vector<double> accuracies;  // for each length, in per cent
  /// What the order changes: with f the trained self-attention and π a shuffle of a sequence, ‖f(π(x)) -
  /// π(f(x))‖ / ‖f(x)‖. 0: f is permutation-equivariant.
  double order_matters = 0;
  /// What is added to the scores of a key so far back as 0, 1, 2, …, in the mean of the heads; empty where
  /// nothing is.
  std::vector<double> added_to_scores;
  bool notices_order() const { return order_matters > 1e-4; }  // less is rounding
};

/// For each length, in per cent, how often a guess is right that knows all values a name has had and not
/// their order: the share of the earlier ones that are the last one's.
std::vector<double> guesses_without_order(const LengthSettings& settings);

/// Trains one round of causal attention with each kind of position to say again what a name was last
/// (pairs_in_one), on sequences of one length, and tests it on others; `begin` is called once the
/// settings have proved good, and `done` hears of each result.
void compare_positions(const LengthSettings& settings, const std::function<void()>& begin,
                       const std::function<void(const LengthOutcome&)>& done);
