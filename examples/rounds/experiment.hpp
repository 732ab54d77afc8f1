// One, two or more rounds of attention learn to answer from memory.
#pragma once

#include <string>
#include <vector>

#include <gradual/nn/data/recall.hpp>
#include <gradual/nn/inspect/attention_pictures.hpp>
#include <gradual/nn/training/learning_curve.hpp>

/// What all models of a run have in common.
struct Budget {
  gradual::Index steps = 800, batch = 32, pairs = 16, heads = 2;
  double learning_rate = 0.005;
  std::uint64_t seed = 1;
  bool quiet = false;
  std::string positions = "rotary";
  gradual::RecallSizes sizes;
};

/// A model's size.
struct Size {
  gradual::Index rounds, width;

  std::string name() const;  // "2 rounds of width 32"
};

/// What became of a model.
struct Result {
  Size size;
  gradual::Index parameters = 0;
  gradual::LearningCurve curve;  // of the questions answered right, in per cent
  /// For each round the largest share, over its heads, of the weight that the values give to the name before
  /// them, and that the names give to the answers.
  std::vector<double> to_name_before, to_answer;
  gradual::AttentionPictures pictures;  // of one sequence
  std::string hops;                     // of its last question: see draw_hops
};

/// Trains a model on ever new sequences and tests it on others. Throws std::invalid_argument for bad sizes.
Result run_experiment(const Size& size, const Budget& budget);

/// The share of questions that a guess among the values of the sequence so far gets right.
double guessing_accuracy(const Budget& budget);
