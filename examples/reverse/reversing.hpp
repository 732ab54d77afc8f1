// A transformer that learns to write sequences backwards.
#pragma once

#include <functional>
#include <vector>

#include <gradual/nn/seq2seq/batches.hpp>
#include <gradual/nn/training/learning_curve.hpp>
#include <gradual/nn/transformer/transformer.hpp>

#include "../page_program.hpp"

/// What can be set for a run.
struct Settings : PageSettings {
  gradual::Index words = 50, longest = 25, unseen = 1000;
  gradual::TransformerConfig model;
  gradual::Index steps = 1500, batch_tokens = 2048;
  gradual::Schedule schedule;
};

/// A sequence that was not trained on, and what became of it.
struct Judged {
  gradual::EncodedPair pair;
  std::vector<std::int32_t> written;

  bool right() const { return written == pair.target; }
};

/// Writes each sequence backwards by greedy search; `pairs` should be in the order of their lengths.
std::vector<Judged> write_backwards(const gradual::Transformer& model,
                                    const std::vector<gradual::EncodedPair>& pairs);

/// The share that is right to the last word.
double exact(const std::vector<Judged>& judged);

/// Trains on sequences that are drawn anew for each batch, none of which is unseen; looks ten times on the
/// way how much of `unseen` the model reverses, a share, and `seen` hears of it.
gradual::LearningCurve train(gradual::Transformer& model, const Settings& settings,
                             const std::vector<gradual::EncodedPair>& unseen,
                             const std::function<void(const gradual::LearningCurve::Point&)>& seen);
