// The encoder-only transformer: one label for a whole text.
#pragma once

#include <vector>

#include <gradual/nn/attention/global.hpp>
#include <gradual/nn/positions/positions.hpp>
#include <gradual/nn/transformer/layers.hpp>

namespace gradual {

/// How the hidden states of a text become one vector: their mean, or global attention, whose weights show
/// which words it listens to.
enum class Pooling { mean, attention };
/// Their names.
inline const Names<Pooling>& poolings() {
  static const Names<Pooling> names("classifier: the pooling",
                                    {{"mean", Pooling::mean}, {"attention", Pooling::attention}});
  return names;
}

/// A stack of encoder layers over token embeddings, pooled to one vector and mapped to a score for each
/// class.
class Classifier {
 public:
  /// Throws std::invalid_argument for a bad configuration, and for fewer than two classes.
  Classifier(const StackConfig& config, Index classes, Pooling pooling, Random random);
  void visit(Visitor& visitor);
  /// What it was made of.
  const StackConfig& config() const { return config_; }

  /// Scores of the classes [B, C] for texts of tokens ids [B, S], of which the first `lengths` [B] count.
  Var logits(const Indices& ids, const Indices& lengths) const;
  /// The mean cross-entropy of the labels [B].
  Var loss(const Indices& ids, const Indices& lengths, const Indices& labels,
           const CrossEntropyOptions& options = {}) const {
    return cross_entropy(logits(ids, lengths), labels, options);
  }

 private:
  StackConfig config_;
  Pooling pooling_;

 public:
  Embedding embedding;                     // of the words
  Part<PositionVectors> positions;         // added to them
  std::vector<Part<EncoderBlock>> layers;  // first to last
  Part<Layer> norm;                        // used only where the norms stand before the parts
  GlobalAttention pool;                    // used only where the pooling is attention
  Linear output;                           // from the pooled vector to a score for each class

 private:
  Dropout dropout_;
};

}  // namespace gradual
