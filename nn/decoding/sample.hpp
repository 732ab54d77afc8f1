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

}  // namespace gradual
