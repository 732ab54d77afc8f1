// What the decoder looks at while it writes backwards.
#pragma once

#include <string>
#include <vector>

#include <gradual/nn/drawing/attention_map.hpp>

#include "reversing.hpp"

/// The words as they are shown: numbers from 1.
std::string shown(const std::vector<std::int32_t>& words);

/// How much each head of each decoder layer looks at the word that it is about to write: its mean weight over
/// all words of some sequences, [layer][head]. 1 is a perfect anti-diagonal.
std::vector<std::vector<double>> mirrored_weights(gradual::Transformer& model,
                                                  const std::vector<gradual::EncodedPair>& pairs);

/// The attention of the decoder to one sequence, [layer][head].
std::vector<std::vector<gradual::AttentionMap>> cross_attention(gradual::Transformer& model,
                                                                const gradual::EncodedPair& pair);

/// The share of exact sequences of each length: first and last length of a group, and how it went.
struct LengthGroup {
  std::size_t shortest, longest;
  std::vector<Judged> judged;

  std::string name() const;  // "6-10"
};
std::vector<LengthGroup> by_length(const std::vector<Judged>& judged, std::size_t longest);

/// The page of a run: figures, curves, accuracy by length, the attention of every head, and examples.
std::string page_of(gradual::Transformer& model, const Settings& settings,
                    const gradual::LearningCurve& curve, const std::vector<Judged>& judged);

/// The map with the clearest anti-diagonal, for a sequence of middle length.
gradual::AttentionMap clearest_map(gradual::Transformer& model, const std::vector<Judged>& judged);
