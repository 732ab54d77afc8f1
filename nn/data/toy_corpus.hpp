// A small English and French world to learn to translate: thousands of sentences from a grammar
// (nn/data/toy), so that nothing has to be downloaded, and every English sentence has exactly one right
// translation.
//
// Sentences look as people write them, with a capital and a full stop. This costs little: they begin with an
// article, pronoun, name or question word, so some thirty words have two forms, both of them frequent.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <gradual/core/real.hpp>
#include <gradual/nn/text/corpus.hpp>

namespace gradual {

/// The sentence pairs of the toy language, apart by what they are for.
struct ToyCorpus {
  std::vector<SentencePair> train;
  std::vector<SentencePair> held_out;       ///< sentences that are not in `train`
  std::vector<SentencePair> compositional;  ///< the same, each with a pair of `new_pairs`
  /// Adjective and noun, as in {"red", "car"}, that never stand in one sentence of `train` or `held_out`,
  /// though both often do with others. Who translates `compositional` well has learnt the words, not the
  /// phrases.
  std::vector<std::pair<std::string, std::string>> new_pairs;
  /// For each English sentence, which of the words that split_words finds translate each other.
  std::unordered_map<std::string, Alignment> alignments;
};

/// Draws a corpus; the same arguments give the same sentences everywhere. No English sentence comes twice.
/// Throws std::invalid_argument when a size is negative.
ToyCorpus make_toy_corpus(std::uint64_t seed, Index train_size = 20000, Index held_out_size = 1000,
                          Index compositional_size = 1000);

}  // namespace gradual
