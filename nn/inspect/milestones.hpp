// How a model got better: what it could do at some moments of its training.
#pragma once

#include <string>
#include <vector>

#include <gradual/core/real.hpp>
#include <gradual/nn/drawing/attention_map.hpp>
#include <gradual/nn/drawing/page/html.hpp>
#include <gradual/nn/inspect/alignment.hpp>
#include <gradual/nn/inspect/layer_numbers.hpp>
#include <gradual/nn/text/corpus.hpp>
#include <gradual/nn/training/run_log.hpp>

namespace gradual {

/// A held-out sentence and what became of it.
struct TranslatedSentence {
  std::string source;       ///< the sentence
  std::string reference;    ///< a right translation
  std::string translation;  ///< the model's own
  bool right;               ///< whether it is right
};

/// What a model could do after a step of training. An empty part was not looked at.
struct Milestone {
  Index step;                                    ///< of training
  std::vector<TranslatedSentence> translations;  ///< the same sentences each time
  std::vector<AttentionMap>
      attention;  ///< to the source of one pair, the same each time: a map for each layer
  AlignmentQuality alignment;
  std::vector<std::vector<AttentionMap>> heads = {};  ///< the same maps of each head: [layer][head]
  std::vector<LayerNumbers> layers = {};              ///< the weights, and the gradient of that step
  SentencePair told = {};                             ///< the pair of `attention`, empty where not known
};

/// The story of a training: one slider over the steps moves what the sentences became, where the model looked
/// while the right words of one of them were told to it, as a graph and as maps, a head at a time, the
/// gradients and weights of the layers, and the marks on the curves of loss (of `training`, where there is
/// one) and of the alignment quality; and a sentence says what it means, one why it is opened where it is.
/// Throws std::invalid_argument when a milestone has fewer translations than the first, and like
/// draw_attention_map.
Html milestones_content(const std::vector<Milestone>& milestones,
                        const std::vector<TrainingPoint>& training = {});

}  // namespace gradual
