// Which words translate which, from sentence pairs alone.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include <gradual/nn/seq2seq/encoded_pairs.hpp>

namespace gradual {

/// IBM model 1 (Brown et al. 1993, §4.1) without its empty word: each target word f of a pair comes from one
/// of the source words e, from which one nobody knows. Expectation–maximisation finds t(f | e):
///   c(f | e) = Σ_pairs Σ_{f, e in the pair} t(f | e) / Σ_{e' in the pair} t(f | e'),
///   t(f | e) = c(f | e) / Σ_f' c(f' | e),
/// from a t that is the same for all.
class IbmModel1 {
 public:
  /// Throws std::invalid_argument unless rounds is positive, and for a negative word.
  IbmModel1(const std::vector<EncodedPair>& pairs, int rounds);

  /// t(target | source); 0 for words that stand in no pair together.
  double probability(std::int32_t target, std::int32_t source) const;
  /// The `most` likeliest translations of a source word, the likeliest first; of equal ones the lower word.
  std::vector<std::int32_t> likeliest(std::int32_t source, std::size_t most) const;
  /// One more than the highest source word.
  std::int32_t source_words() const { return static_cast<std::int32_t>(table_.size()); }

 private:
  using Row = std::unordered_map<std::int32_t, double>;
  std::vector<Row> table_;  // by source word: its targets
};

}  // namespace gradual
