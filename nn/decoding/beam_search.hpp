// Beam search.
#pragma once

#include <vector>

#include <gradual/nn/decoding/beam_tree.hpp>
#include <gradual/nn/decoding/hypothesis.hpp>
#include <gradual/nn/seq2seq/model.hpp>

namespace gradual {

/// How widely beam search looks, and how it weighs translations of different length.
struct BeamOptions : DecodingOptions {
  Index beam_size = 5;          ///< hypotheses that are kept in each step
  Index n_best = 1;             ///< hypotheses that are returned
  double length_penalty = 0.6;  ///< α; 0: none
  double coverage_penalty = 0;  ///< β; above 0 the model must let its attention to the source be recorded

  /// Throws std::invalid_argument, in the name of beam_search, for options that no search can follow.
  void check(Index sentences) const;
};

/// lp(Y) = ((5 + |Y|) / 6)^α (Wu et al. 2016, eq. 14), with |Y| words, the end token among them.
double length_penalty(Index length, double alpha);
/// cp(X, Y) = β·Σᵢ log min(Σⱼ pᵢⱼ, 1) (Wu et al. 2016, eq. 14) from how much attention Σⱼ pᵢⱼ each word of
/// the source has had. Sums below 1e-9 count as that much, so that no single word decides alone.
double coverage_penalty(const std::vector<double>& attention, double beta);

/// Translates each sentence by keeping, in each step, the beam_size likeliest beginnings. Returns for each
/// sentence the n_best hypotheses, finished ones before those that max_length cut short, and then by
///   s(X, Y) = log P(Y | X) / lp(Y) + cp(X, Y)  (Wu et al. 2016, eq. 14).
///
/// In each step all words after all live hypotheses compete. An end token among the beam_size best of them
/// ends a hypothesis; the beam_size best others live on. A sentence is done when beam_size hypotheses have
/// ended or no live one can still get among the n_best: log P only falls and lp(max_length) is the largest
/// penalty, so their quotient is the most that a live hypothesis can reach.
///
/// The attention that counts for coverage is that of the last layer, the mean of its heads. `trees`, unless
/// null, receives what was explored. Throws std::invalid_argument for bad options, when a model gives no word
/// a probability, and for a coverage penalty where no attention is recorded.
std::vector<std::vector<Hypothesis>> beam_search(const TranslationModel& model, const SourceBatch& source,
                                                 const BeamOptions& options = {},
                                                 std::vector<BeamTree>* trees = nullptr);

}  // namespace gradual
