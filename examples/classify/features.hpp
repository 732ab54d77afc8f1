// Words as numbers: each by itself, and by the pieces that it shares with words that were never seen.
#pragma once

#include <vector>

#include <gradual/core/indices.hpp>
#include <gradual/core/tensor.hpp>
#include <gradual/nn/text/vocabulary.hpp>

#include "documents.hpp"

/// A batch of documents, filled up with padding.
struct DocumentBatch {
  gradual::Indices words;    // [B, S]
  gradual::Indices pieces;   // [B, S, K] hashed beginnings, endings and shapes; 0: none
  gradual::Tensor shares;    // [B, S, K] one over the number of a word's pieces; 0 where there is none
  gradual::Indices lengths;  // [B]
  gradual::Indices labels;   // [B]
};

/// What turns documents into batches.
class Features {
 public:
  static constexpr gradual::Index piece_count = 1 << 13;

  /// Words that occur at least `min_count` times get a vector of their own.
  Features(const std::vector<Document>& documents, gradual::Index min_count);

  gradual::Index words() const { return vocabulary_.size(); }
  const std::vector<std::string>& labels() const { return labels_; }
  /// Throws std::invalid_argument for a label that no training document has.
  std::int32_t label_number(const std::string& label) const;
  DocumentBatch batch(const std::vector<const Document*>& documents) const;

 private:
  gradual::Vocabulary vocabulary_;
  std::vector<std::string> labels_;
};
