#include <gradual/nn/decoding/beam_search.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include <gradual/core/elements/arrangement.hpp>
#include <gradual/core/elements/reductions.hpp>
#include <gradual/core/error.hpp>
#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/decoding/sentence_beam.hpp>

namespace gradual {
namespace {

void check_source(const SourceBatch& source) {
  if (source.ids.shape().rank() != 2)
    throw std::invalid_argument(text("beam_search: the source must be [B, S]: it is ", source.ids.shape()));
  const Index sentences = source.ids.dim(0);
  if (source.lengths.size() > 0 && source.lengths.shape() != Shape{sentences})
    throw std::invalid_argument(text("beam_search: valid lengths must be [B]: B is ", sentences,
                                     ", valid lengths are ", source.lengths.shape()));
}

// The attention [B, S] that the step's words paid to the source: the mean of the last layer's heads. A layer
// that computes all words so far again has recorded that of all of them, [B, H, t, S].
Tensor attention_to_source(const AttentionRecorder& recorder, Index rows, Index source_width) {
  const std::vector<Tensor> recorded = recorder.to_source();
  Tensor weights = recorded.empty() ? Tensor() : recorded.back();
  if (weights.rank() != 4 || weights.dim(0) != rows || weights.dim(2) < 1 || weights.dim(3) != source_width)
    throw std::invalid_argument(
        "beam_search: a coverage penalty needs a model that lets its attention to the source be recorded");
  weights = slice(weights, 2, weights.dim(2) - 1, weights.dim(2));
  Tensor mean = sum(weights, {1});  // [B, 1, S]
  scale_in_place(mean, 1 / static_cast<Real>(weights.dim(1)));
  return mean.reshaped({rows, source_width});
}

using Beams = std::vector<SentenceBeam>;

SentenceBeam& beam_of(Beams& beams, Index sentence) { return beams[static_cast<std::size_t>(sentence)]; }

// The last words of all live hypotheses, sentence after sentence: the rows of the batch.
Indices last_words(Beams& beams, const std::vector<Index>& sentences) {
  std::vector<std::int32_t> words;
  for (Index sentence : sentences) {
    const SentenceBeam& beam = beam_of(beams, sentence);
    for (Index live = 0; live < beam.live_count(); ++live) words.push_back(beam.last_word(live));
  }
  const auto rows = static_cast<Index>(words.size());
  return {Shape{rows}, std::move(words)};
}

void attend(Beams& beams, const std::vector<Index>& sentences, const Tensor& attention) {
  Index row = 0;
  for (Index sentence : sentences) {
    SentenceBeam& beam = beam_of(beams, sentence);
    for (Index live = 0; live < beam.live_count(); ++live, ++row)
      beam.attend(live, attention.data() + row * attention.dim(1));
  }
}

// Lets all sentences go one step further and takes out those that are done. Returns which rows the new rows
// come from.
std::vector<Index> advance(Beams& beams, std::vector<Index>& sentences, const TopClasses& top) {
  std::vector<Index> running, rows;
  Index row = 0;  // the first of the sentence's rows
  for (Index sentence : sentences) {
    SentenceBeam& beam = beam_of(beams, sentence);
    const Index before = beam.live_count();
    const std::vector<Index> parents = beam.advance(top, row);
    if (!beam.done()) {
      running.push_back(sentence);
      for (Index parent : parents) rows.push_back(row + parent);
    }
    row += before;
  }
  sentences = std::move(running);
  return rows;
}

void search(const TranslationModel& model, const SourceBatch& source, const BeamOptions& options,
            Beams& beams) {
  std::vector<Index> sentences(beams.size());
  std::iota(sentences.begin(), sentences.end(), Index(0));
  const auto state = model.start(source);
  while (!sentences.empty()) {
    if (options.before_word) options.before_word();
    const Indices words = last_words(beams, sentences);
    std::optional<AttentionRecorder> recorder;
    if (options.coverage_penalty > 0) recorder.emplace();
    // One hypothesis can give all that live on, and an end besides.
    const TopClasses best = model.next_best(words, *state, options.beam_size + 1, options.suppressed);
    if (recorder) attend(beams, sentences, attention_to_source(*recorder, words.size(), source.ids.dim(1)));
    const std::vector<Index> rows = advance(beams, sentences, best);
    if (!sentences.empty()) state->select(rows);
  }
}

}  // namespace

void BeamOptions::check(Index sentences) const {
  DecodingOptions::check("beam_search", sentences);
  if (beam_size < 1)
    throw std::invalid_argument(text("beam_search: beam_size must be positive: got ", beam_size));
  if (n_best < 1 || n_best > beam_size)
    throw std::invalid_argument(
        text("beam_search: n_best must lie in 1 … beam_size: got ", n_best, ", beam_size is ", beam_size));
  const auto not_negative = [](const char* name, double value) {
    if (!(value >= 0 && std::isfinite(value)))
      throw std::invalid_argument(text("beam_search: ", name, " must be a number from 0 on: got ", value));
  };
  not_negative("length_penalty", length_penalty);
  not_negative("coverage_penalty", coverage_penalty);
}

double length_penalty(Index length, double alpha) {
  return std::pow((5 + static_cast<double>(length)) / 6, alpha);
}

double coverage_penalty(const std::vector<double>& attention, double beta) {
  double logarithms = 0;
  for (double paid : attention) logarithms += std::log(std::clamp(paid, 1e-9, 1.0));
  return beta * logarithms;
}

std::vector<std::vector<Hypothesis>> beam_search(const TranslationModel& model, const SourceBatch& source,
                                                 const BeamOptions& options, std::vector<BeamTree>* trees) {
  check_source(source);
  options.check(source.ids.dim(0));
  Beams beams;
  BeamOptions own = options;  // of a sentence
  own.max_lengths.clear();
  for (Index b = 0; b < source.ids.dim(0); ++b) {
    const Index length = source.lengths.size() > 0 ? source.lengths[b] : source.ids.dim(1);
    own.max_length = options.longest(b);
    beams.emplace_back(own,
                       options.coverage_penalty > 0 ? std::clamp<Index>(length, 0, source.ids.dim(1)) : 0);
  }
  if (!beams.empty()) search(model, source, options, beams);

  std::vector<std::vector<Hypothesis>> found;
  if (trees) trees->clear();
  for (SentenceBeam& beam : beams) {
    found.push_back(beam.results());
    if (found.back().empty())
      throw NoWordLeft("beam_search", static_cast<Index>(found.size()) - 1, beam.step() - 1);
    if (trees) trees->push_back(beam.tree());
  }
  return found;
}

}  // namespace gradual
