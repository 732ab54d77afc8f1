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

}  // namespace

const std::vector<Experiment>& of_model() {
  static const std::vector<Experiment> all{{"loss is finite", loss_is_finite},
                                           {"gradient is finite", gradient_is_finite}};
  return all;
}

}  // namespace gradual::experiments
