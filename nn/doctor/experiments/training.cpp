// Experiments on training: a few steps, after which the parameters are what they were.
#include <algorithm>
#include <cmath>
#include <limits>

#include <gradual/core/error.hpp>
#include <gradual/nn/diagnosis/dead_paths.hpp>
#include <gradual/nn/doctor/experiments/training_from_here.hpp>

namespace gradual::experiments {
namespace {

double norm_of_gradients(const Case& of) { return gradient_norm(of.patient.parameters); }

// √Σ(x - y)², or with no y √Σx².
double distance(const Tensor& x, const Tensor& y = {}) {
  double sum = 0;
  for (Index i = 0; i < x.size(); ++i) {
    const double d = static_cast<double>(x.data()[i]) - (y.defined() ? static_cast<double>(y.data()[i]) : 0);
    sum += d * d;
  }
  return std::sqrt(sum);
}

// Does every parameter learn? One loss and its gradient (nn/diagnosis/dead_paths.hpp): none is missing, or 0
// in all places.
std::optional<Answer> every_parameter_is_reached(const Case& of) {
  const EvaluationScope evaluation;
  const auto dead = find_dead_paths(of.patient.parameters, [&] { return of.patient.loss(of.batch); });
  if (dead.empty()) return Answer{text("all ", of.patient.parameters.size(), " parameters have a gradient")};
  return Answer{
      text(dead.size(), " of ", of.patient.parameters.size(), " parameters have none; ", dead.front().text),
      "The loss does not reach all parameters: " + dead.front().parameter + " learns nothing.",
      "Look for detached(), value() or NoGrad on the way, or for a part that is never called.",
      "engine chapter C"};
}

// Is the gradient the slope of the loss? Along the gradient g of a parameter, the loss must change by |g| for
// each step of length 1. Two differences, one with half the step of the other, tell the slope; where they do
// not agree, the loss is too crooked there, and nothing is said.
std::optional<Answer> gradient_is_the_slope(const Case& of) {
  const EvaluationScope evaluation;
  const TrainingFromHere training(of);  // so that all is afterwards as before
  backward(of.patient.loss(of.batch));
  Index measured = 0;
  double worst = 0, slope = 0, promised = 0;
  std::string name;
  for (const NamedParameter& each : of.patient.parameters) {
    const Tensor gradient = copy_of(each.variable.grad()), value = copy_of(each.variable.value());
    const double length = gradient.defined() ? distance(gradient) : 0;
    if (length == 0) continue;
    const double step = std::min(0.05 * distance(value) + 0.01, 0.02 / length);
    if (2 * step * length < 5e-4) continue;  // a float could not tell
    Var variable = each.variable;
    const auto difference = [&](double h) {
      double sum = 0;
      for (const int sign : {1, -1}) {
        variable.set_value(value + gradient * static_cast<Real>(sign * h / length));
        sum += sign * of.loss(of.batch);
      }
      variable.set_value(copy_of(value));
      return sum / (2 * h);
    };
    const double whole = difference(step), half = difference(step / 2);
    if (std::abs(whole - half) > 0.02 * length) continue;
    ++measured;
    if (const double error = std::abs(half - length) / length; error > worst) {
      worst = error;
      slope = half;
      promised = length;
      name = each.name;
    }
  }
  if (measured == 0) return std::nullopt;
  Answer answer{text("along the gradients of ", measured,
                     " parameters the loss changes as they say, but for ", 100 * worst, " %")};
  if (worst < 0.1) return answer;
  answer.cause = text("The gradient is not the slope of the loss: along that of ", name,
                      " it should change by ", promised, ", and changes by ", slope, ".");
  answer.advice =
      "Look for a path that is cut while another goes on, by detached(), value() or NoGrad, and for a rule "
      "of one's own: find_wrong_rules() names it.";
  answer.chapter = "engine chapter E";
  return answer;
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
  answer.cause = same_loss ? "Gradients are not set to zero between steps: they add up."
                           : "A step changes the model by something else than rate times gradient.";
  answer.advice = same_loss ? "Call zero_gradients() before each backward(), or let a Trainer make the steps."
                            : "Look at what else a step does: noise, a decay, state that the model keeps.";
  answer.chapter = "chapter 12";
  return answer;
}

// Is the update right beside the weight? One step moves every parameter that has a gradient, by a small part
// of its length.
std::optional<Answer> update_against_weight(const Case& of) {
  const double rate = highest_rate(of);
  TrainingFromHere training(of);
  training.step(of.batch, rate);
  double moved = 0, whole = 0;
  std::vector<std::string> still;
  for (std::size_t i = 0; i < of.patient.parameters.size(); ++i) {
    const NamedParameter& each = of.patient.parameters[i];
    const double step = distance(each.variable.value(), training.first_value(i));
    if (step == 0) still.push_back(each.name);
    moved += step * step;
    whole += std::pow(distance(training.first_value(i)), 2);
  }
  Answer answer{text("a step at the highest rate, ", rate, ", moves the parameters by ",
                     std::sqrt(moved / std::max(whole, 1e-30)), " of their length; ", still.size(), " of ",
                     of.patient.parameters.size(), " stay where they are",
                     still.empty() ? "" : ", such as " + still.front())};
  if (still.empty()) return answer;
  answer.cause = "A step does not change all parameters: " + still.front() + " stays what it is.";
  answer.advice =
      "Give the optimizer the parameters of the finished model: those of a part that came later, or was "
      "replaced, are not among them. A rate of 0 does the same to all.";
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

// The lowest loss of some sentences in `steps` steps at a rate; less than `enough` ends it.
double lowest_loss(const Case& of, const TranslationBatch& few, double rate, double enough, Index steps) {
  TrainingFromHere training(of);
  double lowest = std::numeric_limits<double>::infinity();
  for (Index i = 0; i < steps && lowest > enough; ++i) lowest = std::min(lowest, training.step(few, rate));
  return lowest;
}

// Can it learn four sentences by heart? Whatever has more weights than there are words can: the loss goes
// towards 0. What cannot do this will not learn a text. The rate must not be to blame, so there are three.
std::optional<Answer> one_batch_is_learnt_by_heart(const Case& of) {
  std::vector<Index> rows;
  const Index count = of.has_targets() ? of.batch.input.dim(0) : of.batch.source.ids.dim(0);
  for (Index b = 0; b < std::min<Index>(4, count); ++b) rows.push_back(b);
  const TranslationBatch few = rows_of(of.batch, rows);
  const double first = of.loss(few), enough = first / 4, highest = highest_rate(of);
  double lowest = std::numeric_limits<double>::infinity();
  for (const double rate : {highest, highest / 10, highest * 10}) {
    if (lowest <= enough) break;
    lowest = std::min(lowest, lowest_loss(of, few, rate, enough, 300));
  }
  Answer answer{text("the loss of ", rows.size(), " sentences falls from ", first, " to ", lowest)};
  if (lowest <= enough) return answer;
  answer.cause =
      "It cannot even learn a few sentences by heart: something between words and loss does not come "
      "through, or steps do not follow the gradient.";
  answer.advice =
      "Look at the output first: scores must be free to grow, so there is no softmax, relu or norm between "
      "them and the loss. Then take parts out until it learns, and check_gradients() of what is your own.";
  answer.chapter = "chapter 12";
  return answer;
}

// Is the rate right at the start? Forty steps as they are planned, and the same with a warm-up, and at a
// tenth of the rate. Slower is worse, unless the first steps are so long that they lead astray.
std::optional<Answer> rate_at_the_start(const Case& of) {
  if (!of.patient.rate) return std::nullopt;
  constexpr Index steps = 40, counted = 10;
  const auto loss_with = [&](auto factor) {  // the mean of the last steps
    TrainingFromHere training(of);
    double sum = 0;
    for (Index n = 0; n < steps; ++n) {
      const double loss = training.step(of.patient.batch(n), of.patient.rate(n + 1) * factor(n));
      if (n >= steps - counted) sum += loss;
    }
    return sum / counted;
  };
  const double own = loss_with([](Index) { return 1.0; });
  const double warm = loss_with([](Index n) { return static_cast<double>(n + 1) / steps; });
  const double tenth = loss_with([](Index) { return 0.1; });
  Answer answer{text("after ", steps, " steps the loss is ", own, ", with a warm-up ", warm,
                     ", at a tenth of the rate ", tenth)};
  if (std::min(warm, tenth) > 0.9 * own) return answer;
  answer.cause = warm < 0.9 * own ? "The rate is too high for the first steps: there is no warm-up."
                                  : "The rate is too high from the start, and a warm-up does not help.";
  answer.advice = warm < 0.9 * own
                      ? "Let the rate rise over the first steps, a tenth of the run or less, or lower it."
                      : "Lower the rate to a tenth, and look again.";
  answer.chapter = "chapter 12";
  return answer;
}

}  // namespace

const std::vector<Experiment>& of_training() {
  static const std::vector<Experiment> all{
      {"dead paths", every_parameter_is_reached}, {"gradient is the slope", gradient_is_the_slope},
      {"same batch twice", same_batch_twice},     {"update against weight", update_against_weight},
      {"steps remember", steps_remember},         {"one batch by heart", one_batch_is_learnt_by_heart},
      {"rate at the start", rate_at_the_start}};
  return all;
}

}  // namespace gradual::experiments
