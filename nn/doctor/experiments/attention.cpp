// Experiments on the attention weights of a model before its first step.
#include <algorithm>
#include <cmath>
#include <limits>

#include <gradual/core/error.hpp>
#include <gradual/nn/attention/analysis.hpp>
#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/attention/scores/score.hpp>
#include <gradual/nn/doctor/experiments/experiment.hpp>

namespace gradual::experiments {

std::vector<RecordedAttention> attention_of(const Case& of) {
  const AttentionRecorder recorder;
  of.loss(of.batch);
  return recorder.recorded();
}

namespace {

// The largest |1 - sum| of weights [B, H, T, S] along the last axis or the one before. Where nothing may be
// seen, all are 0, and that is as it should be.
double off_by(const Tensor& weights, bool over_queries) {
  const Index T = weights.dim(2), S = weights.dim(3), outer = over_queries ? S : T, inner = T + S - outer;
  double most = 0;
  for (Index head = 0; head < weights.dim(0) * weights.dim(1); ++head)
    for (Index i = 0; i < outer; ++i) {
      double sum = 0;
      for (Index j = 0; j < inner; ++j)
        sum += static_cast<double>(weights.data()[head * T * S + (over_queries ? j * S + i : i * S + j)]);
      if (sum != 0) most = std::max(most, std::abs(sum - 1));
    }
  return most;
}

// Do the weights of each query sum to 1? They are a softmax over the keys, whatever the scores are.
std::optional<Answer> weights_sum_to_one(const Case& of) {
  const std::vector<RecordedAttention> all = attention_of(of);
  if (all.empty()) return std::nullopt;
  const auto worst = std::max_element(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return off_by(a.weights, false) < off_by(b.weights, false);
  });
  const double off = off_by(worst->weights, false);
  Answer answer{
      text("the weights of a query sum to 1 but for ", off, " at most, of ", all.size(), " layers")};
  if (off < 1e-3) return answer;
  answer.cause =
      off_by(worst->weights, true) < 1e-3
          ? "The softmax goes over the queries: the weights of each key sum to 1, in " + worst->layer + "."
          : "The weights of a query do not sum to 1, in " + worst->layer + ".";
  answer.advice = "Take the softmax of scores [B, T, S] along the last axis, that of the keys.";
  answer.chapter = "chapter 1";
  return answer;
}

// The deviation of scores between the keys of a query, from weights [B, H, T, S]: log w is the score but for
// what all keys share. That of the narrowest head, since a bias by distance may widen some.
double spread_of_scores(const Tensor& weights) {
  const Index heads = weights.dim(1), T = weights.dim(2), S = weights.dim(3);
  std::vector<double> sums(static_cast<std::size_t>(heads)), counts(sums.size());
  for (Index row = 0; row < weights.size() / S; ++row) {
    double mean = 0, square = 0, seen = 0;
    for (Index s = 0; s < S; ++s) {
      const double w = static_cast<double>(weights.data()[row * S + s]);
      if (w <= 0) continue;
      mean += std::log(w);
      square += std::log(w) * std::log(w);
      ++seen;
    }
    if (seen < 3) continue;
    const auto head = static_cast<std::size_t>(row / T % heads);
    sums[head] += std::max(0.0, square - mean * mean / seen) / (seen - 1);  // rounding may go below 0
    ++counts[head];
  }
  double narrowest = std::numeric_limits<double>::infinity();
  for (std::size_t h = 0; h < sums.size(); ++h)
    narrowest = std::min(narrowest, counts[h] > 0 ? std::sqrt(sums[h] / counts[h]) : 0);
  return narrowest;
}

// Whether a score was chosen that is not divided by √d: then its size is what was meant.
bool means_another_score(const Patient& patient) {
  const std::vector<std::string> names = score_names();
  return std::any_of(patient.parts.begin(), patient.parts.end(), [&](const ChosenPart& part) {
    return part.name != "scaled_dot" && std::find(names.begin(), names.end(), part.name) != names.end();
  });
}

// Is attention open at the start? q·k is a sum of d products, which has a deviation of √d; divided by √d, it
// has one of 1, and each query looks at many keys. Scores that differ by much more choose one key by chance.
std::optional<Answer> scores_are_of_size_one(const Case& of) {
  if (means_another_score(of.patient)) return std::nullopt;
  const std::vector<RecordedAttention> all = attention_of(of);
  if (all.empty()) return std::nullopt;
  const auto widest = std::max_element(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return spread_of_scores(a.weights) < spread_of_scores(b.weights);
  });
  const double spread = spread_of_scores(widest->weights);
  const Tensor entropy = attention_entropy(widest->weights);
  double mean = 0;
  for (const Real each : entropy) mean += static_cast<double>(each) / static_cast<double>(entropy.size());
  Answer answer{text("the scores of a query differ by ", spread, " or more in all heads of ", widest->layer,
                     "; the entropy of its weights is ", mean, " of ",
                     std::log(static_cast<double>(widest->weights.dim(3))))};
  if (spread < 2.2) return answer;
  answer.cause = "The scores are too large at the start, as without the division by √d.";
  answer.advice = "Divide q·k by √d, where d is the width of a head.";
  answer.chapter = "chapter 4";
  return answer;
}

}  // namespace

const std::vector<Experiment>& of_attention() {
  static const std::vector<Experiment> all{{"weights sum to 1", weights_sum_to_one},
                                           {"spread of scores", scores_are_of_size_one}};
  return all;
}

}  // namespace gradual::experiments
