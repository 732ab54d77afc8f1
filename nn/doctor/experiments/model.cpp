// Experiments on the numbers of a model before its first step, in evaluation.
#include <algorithm>
#include <cmath>
#include <limits>

#include <gradual/autograd/anomaly.hpp>
#include <gradual/core/error.hpp>
#include <gradual/nn/attention/analysis.hpp>
#include <gradual/nn/attention/recorder.hpp>
#include <gradual/nn/attention/scores/score.hpp>
#include <gradual/nn/doctor/experiments/training_from_here.hpp>

namespace gradual::experiments {
namespace {

std::vector<RecordedAttention> attention_of(const Case& of) {
  const AttentionRecorder recorder;
  of.loss(of.batch);
  return recorder.recorded();
}

// All operations of a pass, with what they got.
struct Recording : GraphObserver {
  void forward(const char* operation, const Var& y, const std::vector<Var>& inputs) override {
    made.push_back({operation, y.value(), {}});
    for (const Var& input : inputs) made.back().inputs.push_back(input.defined() ? input.value() : Tensor());
  }
  struct Made {
    std::string operation;
    Tensor y;
    std::vector<Tensor> inputs;
  };
  std::vector<Made> made;
};

bool is_same(const Tensor& a, const Tensor& b) {
  return a.defined() == b.defined() &&
         (!a.defined() || (a.shape() == b.shape() && std::equal(a.begin(), a.end(), b.begin())));
}

std::vector<Recording::Made> recorded_pass(const Case& of) {
  Recording recording;
  of.patient.loss(of.batch);
  return std::move(recording.made);
}

// The first operation of two passes that gave something else because it was given something else; empty where
// it was given the same, or numbers with zeros among them: then it dropped some, itself or by a factor.
std::string given_other_numbers(const Case& of) {
  const std::vector<Recording::Made> a = recorded_pass(of), b = recorded_pass(of);
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (is_same(a[i].y, b[i].y)) continue;
    for (std::size_t j = 0; j < std::min(a[i].inputs.size(), b[i].inputs.size()); ++j) {
      const Tensor &x = a[i].inputs[j], &y = b[i].inputs[j];
      if (!is_same(x, y) && std::find(x.begin(), x.end(), Real(0)) == x.end()) return a[i].operation;
    }
    return {};
  }
  return {};
}

// Is a model that is not in training the same twice? Two passes over one batch do the same arithmetic, so the
// losses are equal to the last bit; only chance makes a difference. It comes first, since chance changes what
// all others see.
std::optional<Answer> two_evaluations_are_equal(const Case& of) {
  std::vector<bool> before;
  for (const Mode* mode : of.patient.modes) before.push_back(mode->training);
  for (Mode* mode : of.patient.modes) mode->training = false;
  const NoGrad no_grad;
  const double first = of.patient.loss(of.batch).value().item(),
               second = of.patient.loss(of.batch).value().item();
  const bool is_same_loss = first == second || (std::isnan(first) && std::isnan(second));
  const std::string operation = is_same_loss ? "" : given_other_numbers(of);
  for (std::size_t i = 0; i < before.size(); ++i) of.patient.modes[i]->training = before[i];
  Answer answer{text("the loss of a batch is ", first, " and ", second)};
  if (is_same_loss) return answer;
  answer.chapter = "chapter 12";
  if (!operation.empty()) {
    answer.cause = text("Something is made anew in each pass: the first result that differs is of ",
                        operation, ", which was given other numbers, such as new weights.");
    answer.advice =
        "Make layers once, where the model is made, and visit them: one that is made where it is called has "
        "other weights each time, and never learns.";
    return answer;
  }
  answer.cause = "Chance is at work in evaluation, most likely dropout that never ends.";
  answer.advice =
      "Let what drops ask whether it is in training, hold a Mode, and be visited: evaluation must reach it.";
  return answer;
}

// Which operation made the first number that is none, to go on with a sentence; a full stop where none did.
std::string anomaly_in(const Case& of, const TranslationBatch& batch) {
  try {
    const AnomalyDetection anomalies;
    backward(of.patient.loss(batch));
  } catch (const AnomalyError& error) {
    return text(": ", error.what());
  }
  return ".";
}

// Is the loss a number? All that is compared later must be.
std::optional<Answer> loss_is_finite(const Case& of) {
  const double loss = of.loss(of.batch);
  Answer answer{text("the loss of the first batch is ", loss)};
  if (std::isfinite(loss)) return answer;
  const EvaluationScope evaluation;
  const TrainingFromHere training(of);
  answer.cause = "The loss is no number before the first step" + anomaly_in(of, of.batch);
  answer.advice =
      "Look at what that operation was given: a logarithm of 0, a division by it, a large exponent.";
  answer.chapter = "docs/diagnosis.md";
  return answer;
}

// Is the gradient made of numbers? A loss may be one though something that no word reads is none, such as
// what padding attends to: on the way back, 0 times NaN is NaN.
std::optional<Answer> gradient_is_finite(const Case& of) {
  constexpr Index batches = 4;
  const EvaluationScope evaluation;
  const TrainingFromHere training(of);
  Answer answer;
  for (Index n = 0; n < batches; ++n) {
    const TranslationBatch batch = of.patient.batch(n);
    zero_gradients(of.patient.parameters);
    backward(of.patient.loss(batch));
    const double length = gradient_norm(of.patient.parameters);
    answer.evidence += text(n == 0 ? "those of the first batches have the lengths " : ", ", length);
    if (std::isfinite(length)) continue;
    answer.cause = "The gradient is no number, though the loss is one" + anomaly_in(of, batch);
    answer.advice =
        "Look at what that operation was given. Where a query may see no key at all, such as one that is "
        "padding, a softmax written out is 0/0: masked_softmax() gives 0.";
    answer.chapter = "chapter 5";
    break;
  }
  return answer;
}

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

// Is the first loss that of chance? Who knows nothing holds each of V words equally likely: ln V. Scores that
// differ by 1, as those of fresh weights do, cost a half more.
std::optional<Answer> first_loss_is_that_of_chance(const Case& of) {
  const double chance = std::log(static_cast<double>(of.patient.target_words)), loss = of.loss(of.batch);
  Answer answer{text("the first loss is ", loss, ", and ln ", of.patient.target_words, " = ", chance)};
  if (loss > chance / 2 && loss < chance + 2) return answer;
  if (loss < 0) {
    answer.cause = "The loss is below 0, and the mean of -log p never is: it is of something else.";
    answer.advice =
        "Look for probabilities where their logarithms are expected: a logarithm is missing before the loss.";
  } else if (loss > chance) {
    answer.cause = "The first loss is far above that of chance: the scores of the words are too large.";
    answer.advice = "Let the last weights be small, with a deviation of 1/√D, after a last norm.";
  } else {
    answer.cause = "The first loss is far below that of chance: the model is told the answer.";
    answer.advice = "Count the classes, and look for the target in what the model reads.";
  }
  answer.chapter = "chapter 12";
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

const std::vector<Experiment>& of_model() {
  static const std::vector<Experiment> all{{"two evaluations are equal", two_evaluations_are_equal},
                                           {"loss is finite", loss_is_finite},
                                           {"gradient is finite", gradient_is_finite},
                                           {"first loss", first_loss_is_that_of_chance},
                                           {"weights sum to 1", weights_sum_to_one},
                                           {"spread of scores", scores_are_of_size_one}};
  return all;
}

}  // namespace gradual::experiments
