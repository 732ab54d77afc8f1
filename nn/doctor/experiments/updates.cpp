// Experiments on the direction of a step, and on what else a step does.
#include <algorithm>
#include <cmath>

#include <gradual/autograd/operations.hpp>
#include <gradual/core/error.hpp>
#include <gradual/nn/doctor/experiments/training_from_here.hpp>

namespace gradual::experiments {
namespace {

// What a first step took from each parameter.
std::vector<Tensor> taken_from(const Case& of, const TrainingFromHere& training) {
  std::vector<Tensor> taken;
  for (std::size_t i = 0; i < of.patient.parameters.size(); ++i)
    taken.push_back(training.first_value(i) - of.patient.parameters[i].variable.value());
  return taken;
}

// The cosine of what was taken with something else that is as large; 0 where one of both is.
double cosine(const std::vector<Tensor>& taken, const std::vector<Tensor>& others) {
  double product = 0, squares = 0, other_squares = 0;
  for (std::size_t i = 0; i < taken.size(); ++i) {
    squares += dot(taken[i], taken[i]);
    if (!others[i].defined()) continue;
    product += dot(taken[i], others[i]);
    other_squares += dot(others[i], others[i]);
  }
  return squares * other_squares > 0 ? product / std::sqrt(squares * other_squares) : 0;
}

// Do steps lead down? The first of every optimizer has the sign of the gradient, the other way round: its
// product with the gradient is below 0, and far below where most of the step is by the gradient. Weights are
// drawn by chance, so that the way to zero is hardly that of the gradient.
std::optional<Answer> steps_lead_down(const Case& of) {
  TrainingFromHere training(of);
  std::vector<Tensor> slopes, values;
  {
    const EvaluationScope evaluation;
    backward(of.patient.loss(of.batch));
  }
  for (std::size_t i = 0; i < of.patient.parameters.size(); ++i) {
    Var variable = of.patient.parameters[i].variable;
    slopes.push_back(copy_of(variable.grad()));
    values.push_back(training.first_value(i));
    variable.zero_grad();
  }
  training.step(of.batch, highest_rate(of));
  const std::vector<Tensor> taken = taken_from(of, training);
  const double down = cosine(taken, slopes), inwards = cosine(taken, values);
  Answer answer{text("the cosine of a step with the way down is ", down, ", with the way to zero ", inwards)};
  const bool to_zero = inwards > 0.4 && inwards > down;
  if (down > 0.03 && !to_zero) return answer;
  answer.chapter = "chapter 12";
  if (down < -0.03) {
    answer.cause = "Steps lead up: the loss is made larger, not smaller.";
    answer.advice =
        "Look at the sign of the rate, of the update or of the loss: p - rate·gradient leads down.";
  } else if (to_zero) {
    answer.cause =
        "Steps lead to zero, not down: the weight decay is larger than the gradient, and the loss is not "
        "heard.";
    answer.advice =
        "Take a weight decay of 0.01 or so, and apart from the gradient (AdamW): added to it, it is scaled "
        "as the gradient is.";
  } else {
    answer.cause = "Steps do not follow the gradient of the loss.";
    answer.advice =
        "Look at what the optimizer is given: the gradients of another loss or batch, noise, or gradients "
        "that were clipped number by number to next to nothing.";
  }
  return answer;
}

// Are weights kept? With a slope of 0 everywhere no step moves anything but a weight decay, which shrinks
// all weights by rate·λ of their length. What halves them in some dozens of steps makes them forget. A
// hundred such steps come before, in which means of earlier gradients die away.
std::optional<Answer> weights_are_kept(const Case& of) {
  constexpr int steps_before = 100;
  const double rate = highest_rate(of);
  TrainingFromHere training(of);
  const auto flat = [&] {
    Var nothing;
    for (const NamedParameter& each : of.patient.parameters) {
      const Var zero = sum(each.variable * Real(0));
      nothing = nothing.defined() ? nothing + zero : zero;
    }
    return nothing;
  };
  for (int n = 0; n < steps_before; ++n) training.step_down(flat, rate);
  std::vector<Tensor> values;
  for (const NamedParameter& each : of.patient.parameters) values.push_back(copy_of(each.variable.value()));
  training.step_down(flat, rate);
  double most = 1e-6;  // what a float can tell
  std::string name;
  for (std::size_t i = 0; i < of.patient.parameters.size(); ++i) {
    const Tensor &before = values[i], &now = of.patient.parameters[i].variable.value();
    if (before.rank() < 2) continue;  // vectors of ones are their own signs, which steps may follow
    const double length = distance(before), along = length > 0 ? dot(now, before) / (length * length) : 1;
    // What else a step does, such as noise, does not go straight to zero.
    if (distance(now, before * static_cast<Real>(along)) > 0.05 * distance(now, before)) continue;
    if (1 - along <= most) continue;
    most = 1 - along;
    name = of.patient.parameters[i].name;
  }
  Answer answer{
      text("where the slope is 0, a step shrinks weights by ", name.empty() ? 0 : 100 * most, " %")};
  if (most < 0.004) return answer;
  answer.cause =
      text("The weight decay is far too strong: ", name, " loses ", 100 * most, " % with each step, half in ",
           std::round(std::log(0.5) / std::log(1 - std::min(most, 0.99))), " steps.");
  answer.advice = "Take a weight decay of 0.01 to 0.1: what it takes in a step is the rate times that.";
  answer.chapter = "chapter 12";
  return answer;
}

// Is training training? While a step computes its loss, what drops is switched on. All of it is beforehand,
// so that only a loop that switches it off leaves it off.
std::optional<Answer> steps_are_in_training(const Case& of) {
  if (of.patient.modes.empty()) return std::nullopt;
  std::vector<bool> before;
  for (Mode* mode : of.patient.modes) {
    before.push_back(mode->training);
    mode->training = true;
  }
  Index on = 0;
  {
    TrainingFromHere training(of);
    training.step_in_training(
        [&] {
          on = std::count_if(of.patient.modes.begin(), of.patient.modes.end(),
                             [](const Mode* mode) { return mode->training; });
          return of.patient.loss(of.batch);
        },
        0);
  }
  for (std::size_t i = 0; i < before.size(); ++i) of.patient.modes[i]->training = before[i];
  Answer answer{
      text("in a step, ", on, " of ", of.patient.modes.size(), " parts know that they are in training")};
  if (on > 0) return answer;
  answer.cause =
      "Training is made in evaluation mode: the loop switches off what drops before it makes a step.";
  answer.advice =
      "Call set_training(model, true) before the steps, and after each evaluation again: without dropout, a "
      "model learns its text by heart sooner.";
  answer.chapter = "chapter 12";
  return answer;
}

}  // namespace

const std::vector<Experiment>& of_updates() {
  static const std::vector<Experiment> all{{"steps lead down", steps_lead_down},
                                           {"weights are kept", weights_are_kept},
                                           {"steps are in training", steps_are_in_training}};
  return all;
}

}  // namespace gradual::experiments
