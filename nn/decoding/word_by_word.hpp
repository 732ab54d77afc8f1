// The loop that greedy search and sampling share: one hypothesis for each sentence, one word at a time.
#pragma once

#include <functional>
#include <vector>

#include <gradual/nn/decoding/hypothesis.hpp>
#include <gradual/nn/seq2seq/model.hpp>

namespace gradual {

/// A word and its log-probability.
struct ChosenWord {
  std::int32_t token;  // -1: none has any probability
  double log_probability;
};

/// Finds the word after each of `words` [B]; `translations` says which one each row writes.
using WordChooser = std::function<std::vector<ChosenWord>(
    const Indices& words, TranslationModel::State& state, const std::vector<Index>& translations)>;

/// Lets `choose` write so many translations of each sentence, which is read once: translation t is of
/// sentence t / each. Those that have come to their end leave the batch. Throws std::invalid_argument, in the
/// name of `operation`, for bad options, and NoWordLeft when no word can be chosen.
std::vector<Hypothesis> write_word_by_word(const char* operation, const TranslationModel& model,
                                           const SourceBatch& source, const DecodingOptions& options,
                                           const WordChooser& choose, Index each = 1);

}  // namespace gradual
