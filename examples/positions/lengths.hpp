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

/// What the last item of a sequence looks at, which asks for a name that has had several values.
struct QuestionLook {
  std::vector<std::string> items;
  std::vector<double> weights;  // of each, in the mean of the heads
  std::string right, answer;    // "c=1", and what the model says
  bool is_right() const { return answer == right; }
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
  /// In a sequence as long as those of training, and in one four times as long; without any of which none
  /// that is tested ends so.
  std::vector<QuestionLook> looks;
  bool notices_order() const { return order_matters > 1e-4; }  // less is rounding
};

/// How often one is right, in per cent and at each length, who knows all values that a name has had but not
/// their order: by any of them, one as likely as another, and by the commonest (of several one at random).
struct GuessesWithoutOrder {
  std::vector<double> any, commonest;
};
GuessesWithoutOrder guesses_without_order(const LengthSettings& settings);

/// Trains one round of causal attention with each kind of position to say again what a name was last
/// (pairs_in_one), on sequences of one length, and tests it on others; `begin` is called once the
/// settings have proved good, and `done` hears of each result.
void compare_positions(const LengthSettings& settings, const std::function<void()>& begin,
                       const std::function<void(const LengthOutcome&)>& done);
