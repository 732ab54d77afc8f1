// The text that a translator is trained on, and watched by: sentence pairs as numbers, and their batches.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <gradual/nn/fnv.hpp>
#include <gradual/nn/seq2seq/batches.hpp>
#include <gradual/nn/text/corpus.hpp>
#include <gradual/nn/translation/translator.hpp>

namespace gradual {

/// Batches of pairs of like length, each pair once in an epoch, in an order that is new each time.
///
/// With a `sampling` strength above 0, each epoch goes through the pairs again and cuts both sides anew, as
/// SubwordSampler does it; a pair that becomes too long by it has its best cut. A cut is a function of the
/// seed, the epoch and the pairs before, so that a run that goes on sees the same.
class TrainingText {
 public:
  /// Goes once through the pairs. Those that no batch or the model can hold are left out and counted. Throws
  /// what the pairs throw, and std::invalid_argument when no pair is left. Where cuts are sampled, the
  /// translator and the pairs must live as long, and it throws what SentenceSampler throws.
  TrainingText(const Translator& translator, PairStream& pairs, Index batch_tokens, std::uint64_t seed,
               double sampling = 0);
  /// As the best cuts have them; once batches are asked for, as they were last sampled.
  const EncodedPairs& pairs() const { return pairs_; }
  /// How many pairs were left out.
  Index too_long() const { return too_long_; }

  /// The rows of the n-th batch of a run, counted from 0: a function of the seed and n, so that a run that
  /// goes on sees the same. Quick for the n after the last, slow for one before it, and for
  /// one epochs further on where cuts are sampled: the length of an epoch depends on them.
  const std::vector<Index>& rows(Index n);
  TranslationBatch batch(Index n) { return make_batch(pairs_, rows(n)); }
  /// How many batches go through the text for the first time; later it may be others where cuts are sampled.
  Index batches_in_first_epoch();

  /// The same for the same vocabularies and pairs in the same order, and hardly ever for others, in
  /// hexadecimal digits.
  std::string fingerprint() const;
  /// Makes other pairs count for it, such as those to test on.
  void add_to_fingerprint(const std::vector<SentencePair>& pairs);

 private:
  struct Sampling;
  void cut_anew(Random random);

  EncodedPairs pairs_;
  std::shared_ptr<const Sampling> sampling_;  // null: the cuts are always the best
  Index batch_tokens_, too_long_ = 0;
  std::uint64_t seed_;
  Fnv hash_;
  std::vector<std::vector<Index>> order_;  // the batches of an epoch …
  Index epoch_ = 0, first_ = 0;            // … the one after which this is; and the first of them
};

/// Sentences that training is watched by, and not made of.
class ValidationText {
 public:
  /// Leaves out pairs that no batch or the model can hold, and counts them. Throws std::invalid_argument when
  /// none is left.
  ValidationText(const Translator& translator, const std::vector<SentencePair>& pairs, Index batch_tokens);
  const std::vector<SentencePair>& pairs() const { return pairs_; }
  Index too_long() const { return too_long_; }
  /// The loss of a word, on average, without label smoothing. The model should be in evaluation mode.
  double mean_loss(const TranslationModel& model) const;

 private:
  Index too_long_ = 0;
  std::vector<SentencePair> pairs_;
  std::vector<TranslationBatch> batches_;
};

}  // namespace gradual
