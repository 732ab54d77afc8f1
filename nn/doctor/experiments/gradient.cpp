// Experiments on the gradient before the first step: it reaches all parameters, and is the slope.
#include <algorithm>
#include <cmath>
#include <map>

#include <gradual/core/error.hpp>
#include <gradual/nn/diagnosis/dead_paths.hpp>
#include <gradual/nn/doctor/experiments/recorded_pass.hpp>
#include <gradual/nn/doctor/experiments/training_from_here.hpp>

namespace gradual::experiments {
namespace {

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

// Is nothing cut off? A result that goes on as a constant, by detached() or value(), has the numbers of one
// that was made before, and gives back no gradient, even where another way does.
std::optional<Answer> nothing_is_cut_off(const Case& of) {
  const RecordedPass pass(of.patient, of.batch);
  std::map<const Real*, std::string> results;
  for (const NamedParameter& each : of.patient.parameters) results[each.variable.value().data()] = each.name;
  Index constants = 0;
  for (std::size_t i = 0; i < pass.size(); ++i) {
    for (const Var& input : pass[i].inputs) {
      if (!input.defined() || input.node() || input.rank() < 2) continue;
      ++constants;
      const auto made = results.find(input.value().data());
      if (made == results.end()) continue;
      return Answer{
          text(pass[i].operation, " in ", pass.layer_of(i), " takes as a constant what was made by ",
               made->second),
          text("A gradient is cut off: ", made->second, " is read as a constant by ", pass[i].operation,
               " in ", pass.layer_of(i), "."),
          "Look there for detached(), value() or NoGrad. (Where a slope is left out on purpose, that is "
          "as it should be.)",
          "engine chapter C"};
    }
    if (pass[i].y.node()) results[pass[i].y.value().data()] = pass.layer_of(i);
  }
  return Answer{text("of ", constants, " constants on the way to the loss, none is a result of it")};
}

}  // namespace

const std::vector<Experiment>& of_gradient() {
  static const std::vector<Experiment> all{{"dead paths", every_parameter_is_reached},
                                           {"gradient is the slope", gradient_is_the_slope},
                                           {"nothing is cut off", nothing_is_cut_off}};
  return all;
}

}  // namespace gradual::experiments
