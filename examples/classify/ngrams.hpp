// A classifier without attention, to compare with: which words stand side by side, and nothing else.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "documents.hpp"
#include "linear_svm.hpp"

/// A linear support vector machine for each kind against all others, over words, neighbours, first words,
/// beginnings, endings and shapes. Each is weighted by how few documents have it (tf-idf; Salton and Buckley
/// 1988), and each document has length 1. Question words and what is asked for stand apart in questions, so
/// that such features alone go far there (Li and Roth 2002).
class NgramClassifier {
 public:
  NgramClassifier(const Documents& documents, std::uint64_t seed);

  /// Of the machines of all kinds.
  gradual::Index parameter_count() const;

  /// The probabilities of the labels, in byte order: the softmax of four times the decision values of the
  /// kinds, summed over the kinds of a label.
  std::vector<double> judge(const gradual::LabelledText& document) const;

 private:
  SparseRow row_of(const gradual::LabelledText& document) const;

  LabelNames names_;
  std::unordered_map<std::string, std::int32_t> numbers_;  // of the features
  std::vector<double> rarity_;                             // by the same numbers
  std::vector<std::vector<double>> weights_;               // [K] of the features, and of a 1 that all have
};
