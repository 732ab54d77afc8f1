// Experiments on the numbers of a model before its first step, in evaluation.
#include <algorithm>
#include <cmath>
#include <utility>

#include <gradual/autograd/anomaly.hpp>
#include <gradual/core/error.hpp>
#include <gradual/nn/doctor/experiments/training_from_here.hpp>

namespace gradual::experiments {
namespace {

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

}  // namespace

const std::vector<Experiment>& of_model() {
  static const std::vector<Experiment> all{{"loss is finite", loss_is_finite},
                                           {"gradient is finite", gradient_is_finite},
                                           {"first loss", first_loss_is_that_of_chance}};
  return all;
}

}  // namespace gradual::experiments
