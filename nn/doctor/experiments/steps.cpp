// Experiments on single steps of training, after which the parameters are what they were.
#include <algorithm>
#include <cmath>

#include <gradual/autograd/observer.hpp>
#include <gradual/autograd/operations.hpp>
#include <gradual/core/error.hpp>
#include <gradual/nn/doctor/experiments/training_from_here.hpp>

namespace gradual::experiments {
namespace {

double norm_of_gradients(const Case& of) { return gradient_norm(of.patient.parameters); }

constexpr const char* of_other_parameters =
    "A step changes nothing, though there are gradients: the optimizer has other parameters than the model, "
    "is never called, or is called between zero_gradients() and backward().";
constexpr const char* give_the_own =
    "Make the optimizer after the model, with parameters(model): those of a copy, or of a model that was "
    "made again, are others. And let each step call it, with a rate that is not 0.";

bool has_moved(const TrainingFromHere& training, const Case& of) {
  for (std::size_t i = 0; i < of.patient.parameters.size(); ++i)
    if (distance(of.patient.parameters[i].variable.value(), training.first_value(i)) > 0) return true;
  return false;
}
// The first of some steps that moves a parameter, counted from 1; 0: none does.
Index moves_within(TrainingFromHere& training, const Case& of, Index steps) {
  const double rate = highest_rate(of);
  for (Index n = 1; n <= steps; ++n) {
    training.step(of.batch, rate);
    if (has_moved(training, of)) return n;
  }
  return 0;
}

// Does each step begin anew? At rate 0 nothing changes, so a second step with the same batch has the same
// loss and the same gradient. One that was not set to zero is twice as long.
std::optional<Answer> same_batch_twice(const Case& of) {
  TrainingFromHere training(of);
  const double first_loss = training.step(of.batch, 0), first = norm_of_gradients(of);
  const double second_loss = training.step(of.batch, 0), second = norm_of_gradients(of);
  Answer answer{text("at rate 0, the loss of a batch is ", first_loss, " and ", second_loss,
                     ", the length of its gradient ", first, " and ", second)};
  const bool same_loss = first_loss == second_loss;
  if (same_loss && std::abs(second - first) <= 1e-4 * first) return answer;
  answer.chapter = "chapter 12";
  if (same_loss && !moves_within(training, of, 8)) {
    answer.cause = of_other_parameters;
    answer.advice = give_the_own;
    return answer;
  }
  if (same_loss) {
    answer.cause = "Gradients are not set to zero between steps: they add up.";
    answer.advice = "Call zero_gradients() before each backward(), or let a Trainer make the steps.";
    return answer;
  }
  double squares_moved = 0, squares = 0;
  for (std::size_t i = 0; i < of.patient.parameters.size(); ++i) {
    const Tensor& before = training.first_value(i);
    squares_moved += std::pow(distance(of.patient.parameters[i].variable.value(), before), 2);
    squares += std::pow(distance(before), 2);
  }
  const double moved = std::sqrt(squares_moved / std::max(squares, 1e-30)) / 2;
  answer.evidence += text("; such a step moves the parameters by ", moved, " of their length");
  answer.cause = text("A step at rate 0 changes the model: the loop takes another rate than it is given",
                      moved > 0.1    ? ", a far too high one"
                      : moved < 1e-5 ? ", a far too low one"
                                     : "",
                      ", or adds something else.");
  answer.advice =
      "Look at the rate that the optimizer gets, and at what else a step does: noise, a decay, state that "
      "the "
      "model keeps. A step of a thousandth of the parameters' length is usual.";
  return answer;
}

// What a step does on its way, and what it leaves.
struct WalksBack : GraphObserver {
  void passed_back(const Node&) override { happened = true; }
  bool happened = false;
};

// Why a step at a rate moves nothing at all.
void explain_standstill(const Case& of, double rate, Answer& answer) {
  TrainingFromHere training(of);
  const WalksBack observer;
  training.step(of.batch, rate);
  answer.advice =
      "In this order: gradients to zero, the loss, backward(), and the step, which uses the gradients that "
      "backward() left.";
  if (!observer.happened) {
    answer.cause = "A step changes nothing: backward() is never called, so that there are no gradients.";
  } else if (const double left = norm_of_gradients(of); left == 0) {
    answer.cause =
        "A step changes nothing: gradients are set to zero after backward(), before the step uses them.";
  } else if (const Index moved = moves_within(training, of, 8); moved == 1) {
    answer.cause =
        "A step comes before its gradients: the first changes nothing, and each later one uses the gradients "
        "of the batch before.";
  } else if (moved > 1) {
    answer.cause = text("The first steps change nothing, and only step ", moved + 1, " does.");
    answer.advice = "Let a step be made for each batch, or say so where gradients are gathered on purpose.";
  } else {
    answer.cause = of_other_parameters;
    answer.advice = give_the_own;
  }
}

// Is the update right beside the weight? One step moves every parameter that has a gradient, and all together
// by a small part of their length: about a thousandth is usual, and a half leaves little of what was there.
std::optional<Answer> update_against_weight(const Case& of) {
  const double rate = highest_rate(of);
  TrainingFromHere training(of);
  training.step(of.batch, rate);
  double squares_moved = 0, squares = 0;
  std::vector<std::string> still;
  for (std::size_t i = 0; i < of.patient.parameters.size(); ++i) {
    const NamedParameter& each = of.patient.parameters[i];
    const double step = distance(each.variable.value(), training.first_value(i));
    if (step == 0) still.push_back(each.name);
    squares_moved += step * step;
    squares += std::pow(distance(training.first_value(i)), 2);
  }
  const double moved = std::sqrt(squares_moved / std::max(squares, 1e-30));
  Answer answer{text("a step at the highest rate, ", rate, ", moves the parameters by ", moved,
                     " of their length; ", still.size(), " of ", of.patient.parameters.size(),
                     " stay where they are", still.empty() ? "" : ", such as " + still.front())};
  answer.chapter = "chapter 12";
  if (moved > 0.3) {
    answer.cause =
        text("Steps are too long by far: one moves the parameters by ", moved,
             " of their length. The rate is too high, or the loop uses a higher one than it is given.");
    answer.advice = "Lower the rate to a hundredth, and look again: a step of a thousandth is usual.";
    return answer;
  }
  if (still.empty()) return answer;
  if (still.size() == of.patient.parameters.size()) {
    explain_standstill(of, rate, answer);
    return answer;
  }
  answer.cause = "A step does not change all parameters: " + still.front() + " stays what it is.";
  answer.advice =
      "Give the optimizer the parameters of the finished model: those of a part that came later, or was "
      "replaced, are not among them. A rate of 0 does the same to all.";
  return answer;
}

// Do steps stay as long as they are? Down a plane, on which the gradient is the same everywhere, and at one
// rate, no step is shorter than the first: momentum makes them longer, and Adam's are all as long as the
// rate.
std::optional<Answer> steps_keep_their_length(const Case& of) {
  constexpr Index steps = 40;
  const double rate = highest_rate(of);
  TrainingFromHere training(of);
  training.step(of.batch, 0);
  std::vector<Tensor> slopes;
  for (const NamedParameter& each : of.patient.parameters) slopes.push_back(copy_of(each.variable.grad()));
  const auto plane = [&] {
    Var height;
    for (std::size_t i = 0; i < slopes.size(); ++i) {
      if (!slopes[i].defined()) continue;
      const Var part = sum(of.patient.parameters[i].variable * slopes[i]);
      height = height.defined() ? height + part : part;
    }
    return height;
  };
  const auto length_of_step = [&] {
    std::vector<Tensor> before;
    for (const NamedParameter& each : of.patient.parameters) before.push_back(copy_of(each.variable.value()));
    training.step_down(plane, rate);
    double square = 0;
    for (std::size_t i = 0; i < before.size(); ++i)
      square += std::pow(distance(of.patient.parameters[i].variable.value(), before[i]), 2);
    return std::sqrt(square);
  };
  const double first = length_of_step();
  if (first == 0) return std::nullopt;
  for (Index n = 2; n < steps; ++n) training.step_down(plane, rate);
  const double left = length_of_step() / first;
  double far = 0;
  for (std::size_t i = 0; i < of.patient.parameters.size(); ++i)
    far += std::pow(distance(of.patient.parameters[i].variable.value(), training.first_value(i)), 2);
  far = std::sqrt(far) / first;
  Answer answer{text("down a plane, step ", steps, " at one rate is ", left, " of the first, and all lead ",
                     far, " times as far")};
  if (left > 0.5) return answer;
  if (far < 2) {
    answer.cause =
        "Steps do not add up: after each, or before, the parameters are put back to what they were.";
    answer.advice =
        "Look for what sets parameters in the loop: a file or a best model that is loaded, a copy that is "
        "restored, a mean that is put in the place of the weights.";
    answer.chapter = "chapter 12";
    return answer;
  }
  answer.cause =
      "Steps grow shorter and shorter, though the rate and the gradient are the same: the loop uses another "
      "rate than it is given.";
  answer.advice =
      "Look at what makes the rate smaller: a schedule that is meant for epochs and is called after each "
      "batch, or a decay that is counted twice. (Adagrad's steps grow shorter as they should.)";
  answer.chapter = "chapter 12";
  return answer;
}

// Does the optimizer remember? From the same weights, a step after another one differs from a first step, by
// the means of the gradients so far. Descent along the gradient, which needs no memory, is told by its
// direction.
std::optional<Answer> steps_remember(const Case& of) {
  const double rate = highest_rate(of);
  const TranslationBatch other = of.patient.batch(1);
  const auto step_after = [&](bool another, double& cosine) {
    TrainingFromHere training(of);
    if (another) {
      training.step(of.batch, rate);
      training.back_to_first_values();
    }
    training.step(other, rate);
    std::vector<Tensor> moved;
    double product = 0, step = 0, gradient = 0;
    for (std::size_t i = 0; i < of.patient.parameters.size(); ++i) {
      const Var& variable = of.patient.parameters[i].variable;
      moved.push_back(variable.value() - training.first_value(i));
      const Tensor slope = variable.grad();
      for (Index j = 0; slope.defined() && j < slope.size(); ++j) {
        const auto m = static_cast<double>(moved.back().data()[j]), g = static_cast<double>(slope.data()[j]);
        product -= m * g;
        step += m * m;
        gradient += g * g;
      }
    }
    cosine = product / std::sqrt(std::max(step * gradient, 1e-300));
    return moved;
  };
  double cosine = 0;
  const std::vector<Tensor> first = step_after(false, cosine), second = step_after(true, cosine);
  double apart = 0, length = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    apart += std::pow(distance(first[i], second[i]), 2);
    length += std::pow(distance(first[i]), 2);
  }
  if (length == 0) return std::nullopt;
  apart = std::sqrt(apart / length);
  Answer answer{text("after another step, a step is another one by ", apart,
                     " of its length; its cosine with the gradient is ", cosine)};
  if (!(apart < 1e-6) || cosine > 0.95) return answer;
  answer.cause =
      "The optimizer does not remember: each step is as the first, and yet not along the gradient.";
  answer.advice =
      "Make the optimizer once, before the loop: one that is made for each step begins its means anew. "
      "(Where a step is meant to be without memory, as one by signs alone, that is as it should be.)";
  answer.chapter = "chapter 12";
  return answer;
}

}  // namespace

const std::vector<Experiment>& of_steps() {
  static const std::vector<Experiment> all{{"same batch twice", same_batch_twice},
                                           {"update against weight", update_against_weight}};
  return all;
}

const std::vector<Experiment>& of_steps_in_a_row() {
  static const std::vector<Experiment> all{{"steps keep their length", steps_keep_their_length},
                                           {"steps remember", steps_remember}};
  return all;
}

}  // namespace gradual::experiments
