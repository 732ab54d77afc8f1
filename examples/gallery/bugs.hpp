// Twelve bugs of transformers, each a class or a function: what is wrong stands in a line or two.
#pragma once

#include <string>
#include <vector>

#include <gradual/nn/attention/attention_layer.hpp>
#include <gradual/nn/layers/feed_forward.hpp>

#include "setup.hpp"

namespace gallery {

/// Multi-head attention with everything in the open: softmax(Q·Kᵀ/√d, masked)·V, head by head.
class OpenAttention : public gradual::AttentionLayer {
 public:
  OpenAttention(const gradual::AttentionLayerSettings& settings, gradual::Random random);
  void visit(gradual::Visitor& visitor) override;
  using gradual::AttentionLayer::operator();
  gradual::Var operator()(const gradual::Var& x, const gradual::Var& memory,
                          const gradual::AttentionMask& mask) const override;

  /// Scores [B, T, S] of queries [B, T, d] and keys [B, S, d].
  virtual gradual::Var scores(const gradual::Var& queries, const gradual::Var& keys) const;
  /// Weights [B, T, S] of scores.
  virtual gradual::Var weights(const gradual::Var& scores, const gradual::AttentionMask& mask) const;

 private:
  gradual::Index heads_;
  std::string name_;
  gradual::Linear queries_, keys_, values_, output_;
};

/// A bug, what finds it and what one sees of it.
struct Bug {
  std::string name;   ///< such as "no-causal-mask", for files
  std::string title;  ///< such as "No causal mask"
  void (*plant)(Setup&);
  std::string experiment;  ///< of the doctor: the one that must find it, by its name
  std::string cause;       ///< what the doctor's cause must contain
  std::string sight;       ///< what one sees of it
  std::string why;
  std::string layer;  ///< the layer whose map shows it, or what it does to what is learnt
};

/// All twelve, in the order of the page.
const std::vector<Bug>& all_bugs();

}  // namespace gallery
