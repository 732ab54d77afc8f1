// A classifier that asks a document one question for each label.
#pragma once

#include <gradual/nn/attention/attention.hpp>

#include "features.hpp"

struct ModelSizes {
  gradual::Index words = 0, labels = 0, width = 128, hidden = 192;
  double dropout = 0.3, word_dropout = 0.1;
};

/// Each word is the sum of its own vector and the mean of its pieces' vectors; with its neighbours on either
/// side it becomes an item (a convolution of width 3; Kim 2014). Each label has a query of its own, which
/// weighs the items (label-wise attention; Mullenbach et al. 2018); what it gets is scored for that label.
/// The weights say which words spoke for it.
class DocumentClassifier {
 public:
  DocumentClassifier(const ModelSizes& sizes, gradual::Random random);
  void visit(gradual::Visitor& visitor);

  struct Answer {
    gradual::Var logits;   // [B, C]
    gradual::Var weights;  // [B, C, S]
  };
  Answer operator()(const DocumentBatch& batch) const;

 private:
  gradual::Var words_dropped(const gradual::Indices& words) const;

  ModelSizes sizes_;
  gradual::Embedding words_, pieces_;
  gradual::Linear before_, here_, after_;
  gradual::Attention attention_;
  gradual::Var queries_, verdicts_;  // [C, H]
  gradual::Var bias_;                // [C]
  gradual::Dropout dropout_;
  mutable gradual::Random random_;
  gradual::Mode mode_;
};
