// The beam of one sentence: which hypotheses live, which have ended, and what was pruned.
#pragma once

#include <cstdint>
#include <vector>

#include <gradual/core/rows/top_rows.hpp>
#include <gradual/nn/decoding/beam_search.hpp>

namespace gradual {

/// Beam search for one sentence, without the model: it is told the best words after each live hypothesis and
/// says which go on. See beam_search() for the rules.
class SentenceBeam {
 public:
  /// `attended` words of the source count for the coverage penalty.
  SentenceBeam(const BeamOptions& options, Index attended);

  /// How many words the live hypotheses have.
  Index step() const { return step_; }
  /// How many hypotheses may go on.
  Index live_count() const { return static_cast<Index>(live_.size()); }
  /// The last word of a live hypothesis.
  std::int32_t last_word(Index live) const;

  /// Adds the attention of the next word of one of the live hypotheses to each word of the source.
  void attend(Index live, const Real* weights);
  /// Goes on with the best words after the live hypotheses, whose rows of `top` start at `first_row`. Returns
  /// for each of the new live hypotheses the old one that it comes from.
  std::vector<Index> advance(const TopClasses& top, Index first_row);

  /// Whether no better hypothesis can come.
  bool done() const;
  /// The n_best hypotheses. Empty when the model left no word to write.
  std::vector<Hypothesis> results();
  /// What was explored.
  const BeamTree& tree() const { return tree_; }

 private:
  struct Live {
    Index node;
    double log_probability;
    std::vector<double> attention;  // to each word of the source
  };
  struct Ended {
    Hypothesis hypothesis;
    Index node;
  };
  struct Candidate {
    Index parent;  // which of the live ones
    std::int32_t token;
    double log_probability;
  };

  const BeamNode& node(Index place) const { return tree_.nodes[static_cast<std::size_t>(place)]; }
  std::vector<Candidate> best_candidates(const TopClasses& top, Index first_row) const;
  void end(const Live& hypothesis, bool finished);

  BeamOptions options_;
  Index step_ = 0;
  std::vector<Live> live_;    // the likeliest first
  std::vector<Ended> ended_;  // the best first
  BeamTree tree_;
};

}  // namespace gradual
