// How a model got better: what it could do at some moments of its training.
#pragma once

#include <string>
#include <vector>

#include <gradual/core/real.hpp>
#include <gradual/nn/drawing/attention_map.hpp>
#include <gradual/nn/drawing/page/html.hpp>
#include <gradual/nn/inspect/alignment.hpp>
#include <gradual/nn/inspect/layer_numbers.hpp>

namespace gradual {

/// A held-out sentence and what became of it.
struct TranslatedSentence {
  std::string source;
  std::string reference;
  std::string translation;
  bool right;
};

/// What a model could do after a step of training. An empty part was not looked at.
struct Milestone {
  Index step;
  std::vector<TranslatedSentence> translations;  ///< the same sentences each time
  std::vector<AttentionMap>
      attention;  ///< to the source of one pair, the same each time: a map for each layer
  AlignmentQuality alignment;
  std::vector<std::vector<AttentionMap>> heads = {};  ///< the same of each head: [layer][head]
  std::vector<LayerNumbers> layers = {};              ///< the weights, and the gradient of that step
};

/// The translations of each sentence one below the other; a slider over the steps with translations, maps,
/// each head, and the weights and gradients of each layer; and the curve of the alignment quality. Throws
/// std::invalid_argument when a milestone has fewer translations than the first, and like draw_attention_map.
Html milestones_content(const std::vector<Milestone>& milestones);

}  // namespace gradual
