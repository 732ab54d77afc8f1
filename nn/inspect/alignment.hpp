// Whether attention finds the words that translate each other.
#pragma once

#include <vector>

#include <gradual/nn/text/corpus.hpp>

namespace gradual {

class Translator;

/// The share of aligned target words that look, while they are written, at a word that they translate: the
/// largest of their attention weights to the source lies on it.
struct AlignmentQuality {
  std::vector<double> layers;              ///< [L] by the mean of each layer's heads
  std::vector<std::vector<double>> heads;  ///< [L][H] by each head alone
};

/// The alignment quality of a model that writes the given translations. Empty for a model without attention
/// to the source. Throws std::invalid_argument when its tokens are not the words that the alignments count.
AlignmentQuality alignment_quality(const Translator& translator, const std::vector<AlignedPair>& pairs);

}  // namespace gradual
