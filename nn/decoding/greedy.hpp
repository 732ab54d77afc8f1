// Greedy search.
#pragma once

#include <vector>

#include <gradual/nn/decoding/hypothesis.hpp>
#include <gradual/nn/seq2seq/model.hpp>

namespace gradual {

/// Translates each sentence by writing, again and again, the likeliest next word. The model should be in
/// evaluation mode. The score of a hypothesis is its log-probability. Throws std::invalid_argument for bad
/// options and when a model gives no word a probability.
std::vector<Hypothesis> greedy(const TranslationModel& model, const SourceBatch& source,
                               const DecodingOptions& options = {});

}  // namespace gradual
