// The page of a training run.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <gradual/core/real.hpp>
#include <gradual/nn/drawing/attention_map.hpp>
#include <gradual/nn/inspect/explanation.hpp>
#include <gradual/nn/inspect/milestones.hpp>
#include <gradual/nn/training/run_log.hpp>

namespace gradual {

/// The attention of one kind: `layers[l][h]` is head h of layer l.
struct AttentionKind {
  std::string name;  ///< "Encoder self-attention"
  std::vector<std::vector<AttentionMap>> layers;
  std::string meaning = {};  ///< who looks at what
};

/// All attention for one sentence.
struct SentenceAttention {
  std::string source;                ///< the sentence
  std::string translation;           ///< what was written
  std::vector<AttentionKind> kinds;  ///< of the encoder, the decoder and between them
};

/// Some translations of one text.
struct TranslatedText {
  std::string name;  ///< "held-out"
  std::string note;  ///< what the text is, and which of its sentences these are
  std::vector<TranslatedSentence> sentences;
};

/// What the page of a run shows. An empty part is left out.
struct Run {
  std::string title;                                         ///< at the top of the page
  std::string subtitle;                                      ///< below it
  std::vector<std::pair<std::string, std::string>> figures;  ///< "BLEU", "41.0"
  std::string note_on_figures;                               ///< what they are
  std::vector<TrainingPoint> training;                       ///< for the curves
  double lowest_loss = 0;   ///< what label smoothing leaves of the training loss; 0: none
  bool two_passes = false;  ///< the training loss has in it how far two passes are apart: R-Drop
  std::vector<TranslatedText> translations;
  std::vector<Milestone> milestones;         ///< for the story of the training
  std::vector<Explanation> searches;         ///< of sentences that stand for others
  std::vector<SentenceAttention> attention;  ///< maps of some sentences
  std::vector<std::pair<std::string, std::string>> configuration;
  std::string note_on_configuration = {};
};

/// How many words of the sentence and of its translation the maps of a page show: of many heads and long
/// sentences not all, so that the page stays below some megabytes.
std::size_t words_in_maps(const SentenceAttention& attention);

/// One HTML file: results, the story of the training (see milestones_content), translations, an attention map
/// of every head in every layer with a chooser for sentence and kind, what the search for some of them
/// explored and rejected, curves, and the configuration. Throws std::invalid_argument like
/// draw_attention_map.
std::string run_page(const Run& run);

}  // namespace gradual
