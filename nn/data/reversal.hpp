// Sequences to be written backwards: the smallest task that attention is made for, since the place to look at
// moves to the left as the writing moves to the right.
#pragma once

#include <cstdint>
#include <vector>

#include <gradual/core/random.hpp>
#include <gradual/nn/seq2seq/batches.hpp>

namespace gradual {

/// Random sequences of words, and the same backwards.
///
/// A tenth of all sequences, chosen by a hash of their words, is never drawn for training: what is tested on
/// them is not memory. The words are the ids behind the reserved ones of a Vocabulary.
class ReversalTask {
 public:
  /// Sequences of 1 … `longest` words out of `words`. Throws std::invalid_argument unless both are positive.
  ReversalTask(Index words, Index longest);

  /// The ids that a model of it needs, reserved ones included.
  Index vocabulary_size() const;

  /// A sequence to train on; every length is equally likely at first draw. Throws std::invalid_argument when
  /// there is none.
  EncodedPair draw(Random random) const;
  /// `count` distinct sequences that draw() never gives, the shortest first. Throws std::invalid_argument
  /// when there are fewer.
  std::vector<EncodedPair> unseen(Index count, Random random) const;

 private:
  Index words_, longest_;
};

}  // namespace gradual
