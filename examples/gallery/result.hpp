// What became of a training: its curve, its maps and its sentences.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <gradual/nn/drawing/attention_map.hpp>
#include <gradual/nn/drawing/line_chart.hpp>

#include "bugs.hpp"

namespace gallery {

struct Result {
  std::string title;
  std::vector<double> losses;  ///< of each step
  double held_out_loss = 0;
  double right = 0;         ///< the share of held-out sentences that are translated without a mistake
  std::string translation;  ///< of the example
  /// Where it looks while it reads and writes the example, the mean of the heads; a map's title is its layer.
  std::vector<gradual::AttentionMap> maps;
  gradual::Diagnosis diagnosis;
};

/// What they learn from: with a tenth of it a sound model knows its sentences by heart, and few others.
constexpr gradual::Index pairs_to_learn = 6000;

/// The sentence that all translate.
const gradual::SentencePair& example_of(const Training& training);
/// Trains, looks, and asks the doctor before it.
Result result_of(const std::string& title, const Setup& setup, gradual::Index steps, std::uint64_t seed);
/// The loss in training at the end: the mean of the last twenty steps, or of all if there are fewer.
double final_loss(const Result& result);
/// Means of twenty steps, as a curve.
gradual::Series curve(const std::string& name, const std::vector<double>& losses);

}  // namespace gallery
