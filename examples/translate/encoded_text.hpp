// Sentence pairs as numbers, and the batches that they make.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <gradual/nn/seq2seq/batches.hpp>
#include <gradual/nn/translation/translator.hpp>

#include "corpora.hpp"

/// Whether a batch and the model have room for a pair.
bool fits(const gradual::Translator& translator, const gradual::EncodedPair& ids,
          gradual::Index batch_tokens);

class EncodedText {
 public:
  /// Goes once through the pairs to train on. Those that no batch or the model can hold are left out and
  /// counted. Throws what the pairs throw, and std::invalid_argument when no pair is left.
  EncodedText(const gradual::Translator& translator, const Corpora& corpora, gradual::Index batch_tokens,
              std::uint64_t seed);
  const gradual::EncodedPairs& pairs() const { return pairs_; }
  /// How many pairs were left out.
  gradual::Index too_long() const { return too_long_; }
  /// The same for the same pairs in the same order, those to watch by and to test on included, and hardly
  /// ever for others.
  const std::string& fingerprint() const { return fingerprint_; }

  /// The rows of the next batch: a function of the seed and the number of batches before, so that a resumed
  /// run sees the same.
  const std::vector<gradual::Index>& next_rows();
  gradual::Index batches_seen() const { return batches_seen_; }
  void skip_to(gradual::Index batch);

 private:
  gradual::EncodedPairs pairs_;
  gradual::Index batch_tokens_, too_long_ = 0;
  std::uint64_t seed_;
  std::string fingerprint_;
  std::vector<std::vector<gradual::Index>> order_;  // the batches of this epoch
  gradual::Index order_start_ = 0;                  // the batch that it began with
  gradual::Index batches_seen_ = 0, epoch_ = 0;
};
