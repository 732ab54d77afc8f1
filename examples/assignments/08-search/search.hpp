// One step of a beam, and BLEU from counts: what beam_search and bleu do inside, as functions of their own.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <gradual/core/tensor.hpp>
#include <gradual/nn/decoding/beam_tree.hpp>
#include <gradual/nn/text/bleu.hpp>

namespace gradual {

/// A word after one of the live beginnings, and what becomes of the two.
struct Choice {
  Index parent;  // which of the live beginnings, from 0
  std::int32_t word;
  double log_probability;  // of all words up to this one
  BeamNode::Fate fate;     // kept, ended or pruned
};

/// The 2·beam best words after live beginnings, the best first; of equal ones that of the earlier beginning,
/// then the lower word. `so_far` has log P of each beginning, log_p [live, V] that of each word after it, −∞
/// for words that are never written. An `end` among the first `beam` ends; the first `beam` of other words
/// are kept; the rest is pruned.
std::vector<Choice> beam_step(const std::vector<double>& so_far, const Tensor& log_p, Index beam,
                              std::int32_t end);

using Sentence = std::vector<std::int32_t>;  // each word a number

/// What the sentences of a text add up to; place n − 1 is for n-grams of n words.
struct NgramCounts {
  Index hypothesis_length = 0, reference_length = 0;
  std::array<Index, 4> matched{}, all{};
};
/// Adds a sentence: its n-grams, those of them that a reference has too (each at most as often as in the
/// reference that has most of it), its length, and that of the reference nearest in length, the shorter one
/// of two (Papineni et al. 2002, §2).
void count_ngrams(const Sentence& hypothesis, const std::vector<Sentence>& references, NgramCounts& counts);

/// BLEU = BP·exp(¼ Σₙ log pₙ), with exponential smoothing (see bleu()); the signature stays empty.
BleuScore bleu_of(const NgramCounts& counts);

}  // namespace gradual
