// Translations by chance.
#pragma once

#include <vector>

#include <gradual/nn/decoding/hypothesis.hpp>
#include <gradual/nn/decoding/token_choice.hpp>
#include <gradual/nn/seq2seq/model.hpp>

namespace gradual {

/// Translates each sentence by drawing word after word. Each sentence draws from a stream of its own, split
/// from `random`, so that it does not depend on how long the others become. Log-probabilities and scores are
/// the model's own, before temperature and cuts. Throws std::invalid_argument for bad options and when a
/// model gives no word a probability.
std::vector<Hypothesis> sample(const TranslationModel& model, const SourceBatch& source,
                               const DecodingOptions& options, const SamplingOptions& sampling,
                               Random random);

/// Translates each sentence, so many times, by drawing word after word from all that the model holds
/// possible, softmax(logits / temperature) without the suppressed words: ancestral sampling. A sentence is
/// read once, and its translations follow each other. Each has a stream as above. As there is nothing to cut,
/// nothing is sorted, which makes it many times as fast for a large vocabulary. Log-probabilities and scores
/// are the model's own, before temperature. Throws std::invalid_argument for a bad temperature and when a
/// model gives no word a probability.
std::vector<Hypothesis> ancestral_samples(const TranslationModel& model, const SourceBatch& source,
                                          const DecodingOptions& options, double temperature, Random random,
                                          Index each = 1);

}  // namespace gradual
