// Words as numbers: each by itself, by its beginnings and endings, by how it is written, by its place.
#pragma once

#include <array>
#include <string>
#include <vector>

#include <gradual/core/indices.hpp>
#include <gradual/core/random.hpp>
#include <gradual/core/tensor.hpp>
#include <gradual/nn/text/vocabulary.hpp>

#include "documents.hpp"

/// What is known of a word.
struct WordFeatures {
  std::int32_t word = 0;               // its number in the vocabulary
  std::array<std::int32_t, 5> pieces;  // its beginnings and endings, from 1; 0: unknown
  std::int32_t shape = 0;              // see WordShape
};

/// A batch of documents, filled up with padding.
struct DocumentBatch {
  gradual::Indices words;    // [B, S]
  gradual::Indices pieces;   // [B, S, 5]
  gradual::Indices shapes;   // [B, S]
  gradual::Indices places;   // [B, S]
  gradual::Tensor present;   // [B, S, 1] 1 for a word, 0 for padding
  gradual::Indices lengths;  // [B]
};

/// What turns documents into batches.
class Features {
 public:
  static constexpr gradual::Index piece_count = 4096;  // different pieces may share a number
  static constexpr gradual::Index place_count = 64;    // words further back share the last

  /// Words that occur at least `min_count` times get a number of their own.
  Features(const Documents& documents, gradual::Index min_count);

  gradual::Index words() const { return vocabulary_.size(); }
  std::vector<WordFeatures> of(const gradual::LabelledText& document) const;
  DocumentBatch batch(const std::vector<std::vector<WordFeatures>>& documents) const;

  /// The document as training sees it: a word that was seen n times is unknown, with all its pieces, with
  /// probability r/(r + n). So the others learn to do without the rare ones, which a new document will not
  /// have.
  std::vector<WordFeatures> with_words_hidden(std::vector<WordFeatures> document, double r,
                                              gradual::Random random) const;

 private:
  gradual::Vocabulary vocabulary_;
};
