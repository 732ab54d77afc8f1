// How well attention finds the words that translate each other.
#pragma once

#include <gradual/nn/drawing/attention_map.hpp>
#include <gradual/nn/text/corpus.hpp>

namespace gradual {

/// What attention maps and known alignments have in common, summed over target words that have a known
/// source word; the others do not count.
struct AlignmentMatch {
  Index words = 0;      ///< of the translations, all together
  double weight = 0;    ///< the weight that these words give to their source words
  Index strongest = 0;  ///< how many give their largest weight to one of their source words

  /// The mean weight on the words that belong together.
  double mean_weight() const { return words == 0 ? 0 : weight / static_cast<double>(words); }
  double strongest_share() const {
    return words == 0 ? 0 : static_cast<double>(strongest) / static_cast<double>(words);
  }
  AlignmentMatch& operator+=(const AlignmentMatch& other);
};

/// The match of a map whose queries are target words and whose keys are source words. Throws
/// std::invalid_argument when the alignment names a word that the map does not have.
AlignmentMatch match_alignment(const AttentionMap& map, const Alignment& alignment);

/// The alignment itself as a map: each target word shares a weight of 1 among its source words.
AttentionMap alignment_map(const std::vector<std::string>& target, const std::vector<std::string>& source,
                           const Alignment& alignment);

}  // namespace gradual
