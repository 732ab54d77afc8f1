// A transformer that learns to write sequences backwards.
#pragma once

#include <functional>
#include <vector>

#include <gradual/nn/seq2seq/batches.hpp>
#include <gradual/nn/transformer/transformer.hpp>

#include "settings.hpp"

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

/// Where training stands.
struct Standing {
  gradual::Index step;
  double loss;     // mean since the last report
  double exact;    // of some unseen sequences
  double seconds;  // of training alone
};

struct TrainingResult {
  std::vector<Standing> standings;
  double seconds = 0;
  double gflop_a_step = 0;  // in matrix products
};

/// Trains on sequences that are drawn anew for each batch, none of which is unseen; reports ten times on the
/// way how much of `unseen` the model reverses.
TrainingResult train(gradual::Transformer& model, const Settings& settings,
                     const std::vector<gradual::EncodedPair>& unseen,
                     const std::function<void(const Standing&)>& report);
