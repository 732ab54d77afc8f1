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
/// Keys and values stay where the projections wrote them. What is chosen, repeated and dropped are row
/// numbers: the hypotheses of a sentence share its source and the words they have in common.
class KeyValueCache {
 public:
  /// Adds N words to each row: the columns from `first` on of packed [B, N, …] hold the keys, and behind them
  /// the values.
  void append(const Tensor& packed, Index first);
  /// Keeps the rows of these numbers, in that order; one may be named more than once.
  void select(const std::vector<Index>& rows);
  /// The words of each row.
  Index length() const;
  /// Where each row's keys lie; only the first lengths[r] of them unless `lengths` is empty.
  KeyTable table(const Indices& lengths = {}) const;
  /// A copy of all keys with their values behind them, [B, length, width].
  Tensor gathered(Index width) const;

 private:
  // The words of one append, and which row of the block each row of the batch has now.
  struct Block {
    Tensor packed;
    Index first;
    std::vector<Index> rows;
  };
  std::vector<Block> blocks_;
};

}  // namespace gradual
