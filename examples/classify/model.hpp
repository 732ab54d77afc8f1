// A small transformer that reads a document, listens to the words that matter and says what it is.
#pragma once

#include <vector>

#include <gradual/nn/attention/global.hpp>
#include <gradual/nn/transformer/layers.hpp>

#include "features.hpp"

struct ModelSizes {
  gradual::Index words = 0, labels = 0;
  gradual::Index kinds = 0;  // finer labels; 0: none
  gradual::Index width = 64, heads = 4, feed_forward = 128;
  double dropout = 0.3;
  bool places = true;  // whether a word's place and its distance from others count
};

/// A word is the sum of its own vector, those of its beginnings and endings (their sum over √5), of its shape
/// and of its place. A convolution of width 3 joins it with its neighbours (Kim 2014) and makes an item of
/// it. An encoder layer reads all items; what it makes of them are the keys by which global attention weighs
/// the items: the whole document decides which to listen to, but what is heard are the items alone. So a
/// weight is about its word and the two beside it, which it would not be were the encoder's mixtures heard.
/// What was heard is scored for each label, and for each finer label, which teaches the model more than
/// labels alone (Caruana 1997).
class DocumentClassifier {
 public:
  /// The name by which an AttentionRecorder finds the weights of the words [B, 1, 1, S].
  static constexpr const char* pooling = "words";

  DocumentClassifier(const ModelSizes& sizes, gradual::Random random);
  void visit(gradual::Visitor& visitor);

  struct Scores {
    gradual::Var labels;  // [B, C]
    gradual::Var kinds;   // [B, K]; undefined where there are none
  };
  Scores operator()(const DocumentBatch& batch) const;

 private:
  gradual::Var embedded(const DocumentBatch& batch) const;  // [B, S, D]

  bool places_matter_;
  gradual::Embedding words_, pieces_, shapes_, places_;
  gradual::Linear neighbours_;
  gradual::EncoderLayer encoder_;
  gradual::LayerNorm listening_norm_, hearing_norm_;
  gradual::GlobalAttention attention_;
  gradual::Linear label_;
  std::vector<gradual::Linear> kind_;  // one, or none
  gradual::Dropout dropout_;
};
