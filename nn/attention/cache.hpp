// What attention remembers while a model writes word by word.
#pragma once

#include <cstdint>
#include <vector>

#include <gradual/core/attention/cached_attention.hpp>
#include <gradual/core/tensor.hpp>

namespace gradual {

/// The keys and values that each row of a batch has seen, kept so that a new word costs one step and not a
/// new pass over the prefix.
///
/// Keys and values stay where they were written. What is chosen, repeated and dropped are row numbers: the
/// hypotheses of a sentence share its source and the words they have in common.
class KeyValueCache {
 public:
  /// Adds N words to each row: keys with their values behind them, [B, N, 2·G·d]. Throws
  /// std::invalid_argument unless B and the width are as before.
  void append(const Tensor& keys_values);
  /// Keeps the rows of these numbers, in that order; one may be named more than once. Throws
  /// std::invalid_argument for a number that no row has.
  void select(const std::vector<Index>& rows);
  /// Forgets all words but the last ones. What was appended together stays together, if one of it stays.
  void keep_last(Index words);
  /// The words that each row has seen, those that are forgotten among them.
  Index length() const { return forgotten_ + kept(); }
  /// Those that are still there.
  Index kept() const;
  /// The rows of the batch; none while nothing was appended.
  Index rows() const { return blocks_.empty() ? 0 : static_cast<Index>(blocks_.back().rows.size()); }
  /// The numbers of a word's keys and values, 2·G·d; 0 while nothing was appended.
  Index width() const { return blocks_.empty() ? 0 : blocks_.back().keys_values.dim(2); }
  /// Where the keys of each row lie that are still there; only the first lengths[r] of them unless `lengths`
  /// is empty.
  KeyTable table(const Indices& lengths = {}) const;
  /// A copy of these keys with their values behind them, [B, kept(), 2·G·d].
  Tensor gathered() const;

 private:
  // The words of one append, and which row of the block each row of the batch has now.
  struct Block {
    Tensor keys_values;
    std::vector<Index> rows;
  };
  std::vector<Block> blocks_;
  Index forgotten_ = 0;  // words
};

}  // namespace gradual
