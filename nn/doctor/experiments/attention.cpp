// Experiments on the attention weights of a model before its first step.
#include <algorithm>
#include <cmath>
#include <limits>

#include <gradual/core/elements/arrangement.hpp>
#include <gradual/core/error.hpp>
#include <gradual/nn/attention/analysis.hpp>
#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/attention/scores/score.hpp>
#include <gradual/nn/doctor/experiments/recorded_pass.hpp>

namespace gradual::experiments {

namespace {

// The weights of attention written out by hand, which nobody records: what a softmax made, changed or not,
// and what then multiplies values.
std::vector<RecordedAttention> written_out(const Case& of) {
  const RecordedPass pass(of.patient, of.batch);
  // The softmax that a result is, but for its arrangement and for factors.
  const auto is_softmax = [&](const Var& x) {
    static const std::vector<std::string> kept{"transpose", "reshape", "dropout", "mul", "slice"};
    for (std::size_t i = pass.maker_of(x); i < pass.size();) {
      const std::string& operation = pass[i].operation;
      if (operation == "softmax" || operation == "masked_softmax") return true;
      if (std::find(kept.begin(), kept.end(), operation) == kept.end()) return false;
      i = std::min(pass.maker_of(pass[i].inputs[0]), pass.maker_of(pass[i].inputs.back()));
    }
    return false;
  };
  std::vector<RecordedAttention> all;
  for (std::size_t i = 0; i < pass.size(); ++i) {
    if (pass[i].operation != "matmul") continue;
    const Var &weights = pass[i].inputs[0], &values = pass[i].inputs[1];
    const Index rank = weights.rank();
    if (rank < 3 || rank > 4 || weights.dim(-1) != values.dim(-2) || weights.dim(-2) < 2 ||
        !is_softmax(weights))
      continue;
    const Tensor& w = weights.value();
    RecordedAttention found{pass.layer_of(i), w, AttentionTo::source};
    if (rank == 3) found.weights = w.with_shape({w.dim(0), 1, w.dim(1), w.dim(2)});
    if (found.weights.dim(0) != of.batch.output.dim(0)) continue;
    if (w.dim(-2) == w.dim(-1)) found.to = AttentionTo::itself;
    // Heads one by one are those of one layer.
    if (!all.empty() && rank == 3 && all.back().layer == found.layer &&
        all.back().weights.dim(2) == w.dim(-2) && all.back().weights.dim(3) == w.dim(-1))
      all.back().weights = concat(std::vector<Tensor>{all.back().weights, found.weights}, 1);
    else
      all.push_back(std::move(found));
  }
  return all;
}

// Whether the first weights of both are the same numbers.
bool is_one(const RecordedAttention& a, const RecordedAttention& b) {
  return a.weights.dim(2) == b.weights.dim(2) && a.weights.dim(3) == b.weights.dim(3) &&
         std::equal(a.weights.begin(), a.weights.begin() + a.weights.dim(3), b.weights.begin());
}

}  // namespace

std::vector<RecordedAttention> attention_of(const Case& of) {
  const AttentionRecorder recorder;
  of.loss(of.batch);
  std::vector<RecordedAttention> all = recorder.recorded();
  for (RecordedAttention& each : written_out(of))
    if (std::none_of(all.begin(), all.end(), [&](const auto& known) { return is_one(known, each); }))
      all.push_back(std::move(each));
  return all;
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

// Whether each row of weights that sums to less than 1 has a 0 in it, and none sums to more.
bool some_are_zero_where_sums_are_less(const Tensor& weights) {
  const Index S = weights.dim(3);
  for (const Real* row = weights.data(); row != weights.data() + weights.size(); row += S) {
    double sum = 0;
    for (Index s = 0; s < S; ++s) sum += static_cast<double>(row[s]);
    if (sum > 1 + 1e-3 || (sum < 1 - 1e-3 && std::find(row, row + S, Real(0)) == row + S)) return false;
  }
  return true;
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
  answer.chapter = "chapter 1";
  if (off_by(worst->weights, true) >= 1e-3 && some_are_zero_where_sums_are_less(worst->weights)) {
    answer.cause = "A mask comes after the softmax, in " + worst->layer +
                   ": the weights that it leaves do not sum to 1, since hidden keys took their share.";
    answer.advice = "Hide keys before the softmax: -∞ in the place of their scores makes their weights 0.";
    answer.chapter = "chapter 5";
    return answer;
  }
  answer.cause =
      off_by(worst->weights, true) < 1e-3
          ? "The softmax goes over the queries: the weights of each key sum to 1, in " + worst->layer + "."
          : "The weights of a query do not sum to 1, in " + worst->layer + ".";
  answer.advice = "Take the softmax of scores [B, T, S] along the last axis, that of the keys.";
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

// What of attention is hidden that must not be; nothing where all is seen.
std::string hidden_in(const RecordedAttention& attention, const Case& of) {
  const Tensor& weights = attention.weights;
  const Index B = weights.dim(0), H = weights.dim(1), T = weights.dim(2), S = weights.dim(3);
  const bool of_sources = attention.is_of_encoder() && of.has_sources() && S == of.batch.source.ids.dim(1);
  bool sees_itself = T == 1, sees_later = false, is_one_for_all = true;
  for (Index i = 0; i < B * H; ++i) {
    std::vector<bool> seen_by_some(static_cast<std::size_t>(S)), hidden_from_some(seen_by_some);
    for (Index t = 0; t < T; ++t) {
      const Real* row = weights.data() + (i * T + t) * S;
      if (std::all_of(row, row + S, [](Real w) { return w == 0; })) continue;
      sees_itself = sees_itself || (t > 0 && t < S && row[t] > 0);
      for (Index s = 0; s < S; ++s) {
        (row[s] > 0 ? seen_by_some : hidden_from_some)[static_cast<std::size_t>(s)] = true;
        sees_later = sees_later || (s > t && row[s] > 0);
      }
    }
    for (std::size_t s = 0; s < seen_by_some.size(); ++s)
      is_one_for_all = is_one_for_all && !(seen_by_some[s] && hidden_from_some[s]);
  }
  if (attention.to == AttentionTo::itself && T == S && !sees_itself)
    return "A word does not see itself, in " + attention.layer + ": the mask hides one place too many.";
  if (of_sources && T == S && T > 2 && !sees_later)
    return "Words of the source do not see those after them, in " + attention.layer +
           ": it has a causal mask, which is for what writes.";
  if (attention.to == AttentionTo::source && T != S && !is_one_for_all)
    return "Words of the source are hidden from some words of the target and not from others, in " +
           attention.layer + ": attention to the source has a causal mask, or the wrong one.";
  return {};
}

// Is seen what may be? A word sees itself; a word of the source sees those after it as well; and every word
// of the target sees the same words of its source, all but padding. What is hidden has the weight 0.
std::optional<Answer> all_is_seen_that_may_be(const Case& of) {
  const std::vector<RecordedAttention> all = attention_of(of);
  if (all.empty()) return std::nullopt;
  for (const RecordedAttention& each : all)
    if (const std::string hidden = hidden_in(each, of); !hidden.empty())
      return Answer{text("of ", all.size(), " layers, ", each.layer, " hides what may be seen"), hidden,
                    "A causal mask hides the keys after the query, and no other; it is for attention of what "
                    "writes to itself. All attention to the source has the mask of its lengths alone.",
                    "chapter 5"};
  return Answer{text("all that may be seen has weight, in ", all.size(), " layers")};
}

}  // namespace

const std::vector<Experiment>& of_attention() {
  static const std::vector<Experiment> all{{"weights sum to 1", weights_sum_to_one},
                                           {"spread of scores", scores_are_of_size_one},
                                           {"nothing is hidden", all_is_seen_that_may_be}};
  return all;
}

}  // namespace gradual::experiments
