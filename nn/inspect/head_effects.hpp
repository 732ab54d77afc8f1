// What each head of a translator is good for, and where it looks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <gradual/nn/diagnosis/bootstrap.hpp>
#include <gradual/nn/inspect/alignment.hpp>
#include <gradual/nn/translation/evaluation.hpp>

namespace gradual {

/// The heads of a translator, each taken out in turn.
struct HeadReport {
  /// What taking out one head changes.
  struct Row {
    std::string layer;  ///< such as "decoder.1.cross_attention"
    Index head;         ///< in its layer, counted from 0
    ScoreChange bleu;   ///< without it
    /// Of heads that look at the source: how often they look at the right word (see AlignmentQuality).
    std::optional<double> alignment;
  };
  double bleu = 0;  ///< of the whole model
  Index sentences = 0;
  Index too_long = 0;     ///< pairs that were left out, being too long for the model
  std::vector<Row> rows;  ///< in the order of the layers

  /// A line for each head, those that cost most first.
  std::string text() const;
};

/// Translates the sources of some pairs with the whole model and without each of its heads (Michel, Levy and
/// Neubig 2019), and compares the BLEU of both: the same sentences, so that the bootstrap is a paired one.
/// `aligned`, if not empty, are pairs whose words are known to belong together. Pairs that are too long for
/// the model are left out. Throws std::invalid_argument where none is left, and for a model without heads
/// that can be taken out.
HeadReport examine_heads(const Translator& translator, const std::vector<SentencePair>& pairs,
                         const std::vector<AlignedPair>& aligned, const TestSettings& settings = {});

/// The report as an SVG: for each head its change of BLEU with the interval, and its share of right words.
std::string draw_heads(const HeadReport& report);
/// The picture on a page.
std::string heads_page(const HeadReport& report);

}  // namespace gradual
