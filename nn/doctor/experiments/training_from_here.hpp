// A few steps of training, after which everything is what it was.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include <gradual/nn/doctor/experiments/experiment.hpp>

namespace gradual::experiments {

/// The highest rate of a run; a usual one where nothing is known of rates. Behind its first 100,000 steps a
/// longer run is looked at in 100,000 places: rates rise at the beginning.
inline double highest_rate(const Case& of) {
  if (!of.patient.rate) return 0.003;
  double highest = 0;
  constexpr Index looked_at = 100'000;
  const Index apart = std::max<Index>(1, of.patient.steps / looked_at);
  for (Index step = 1; step <= of.patient.steps; step += step < looked_at ? 1 : apart)
    highest = std::max(highest, of.patient.rate(step));
  return highest;
}

/// Numbers of its own: an optimizer writes into those of parameters.
inline Tensor copy_of(const Tensor& x) {
  Tensor copy = x;
  if (copy.defined() && copy.size() > 0) copy.mutable_data();
  return copy;
}

/// Σ x·y over all places.
inline double dot(const Tensor& x, const Tensor& y) {
  double sum = 0;
  for (Index i = 0; i < x.size(); ++i)
    sum += static_cast<double>(x.data()[i]) * static_cast<double>(y.data()[i]);
  return sum;
}
/// √Σ(x - y)², or with no y √Σx².
inline double distance(const Tensor& x, const Tensor& y = {}) {
  const Tensor d = y.defined() ? x - y : x;
  return std::sqrt(dot(d, d));
}

/// While it lives, training begins from here; afterwards all is as before.
class TrainingFromHere {
 public:
  explicit TrainingFromHere(const Case& of) : of_(of), step_(of.patient.begin()) {
    for (const NamedParameter& each : of.patient.parameters) {
      values_.push_back(copy_of(each.variable.value()));
      gradients_.push_back(each.variable.grad());
      Var variable = each.variable;
      variable.zero_grad();
    }
  }
  ~TrainingFromHere() {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      Var variable = of_.patient.parameters[i].variable;
      variable.set_value(std::move(values_[i]));
      variable.mutable_grad() = std::move(gradients_[i]);
    }
  }
  TrainingFromHere(const TrainingFromHere&) = delete;
  TrainingFromHere& operator=(const TrainingFromHere&) = delete;

  /// One step without dropout; the loss before it, or infinity where training gave up.
  double step(const TranslationBatch& batch, double rate) {
    double before = std::numeric_limits<double>::infinity();
    try {
      step_down(
          [&] {
            const Var loss = of_.patient.loss(batch);
            if (std::isfinite(loss.value().item())) before = loss.value().item();
            return loss;
          },
          rate);
    } catch (const std::runtime_error&) {  // DivergedError
      return std::numeric_limits<double>::infinity();
    }
    return before;
  }
  /// One step without dropout down any function of the parameters.
  void step_down(const std::function<Var()>& function, double rate) {
    const EvaluationScope evaluation;
    step_(function, rate);
  }
  /// One step as in training, down any function of the parameters.
  void step_in_training(const std::function<Var()>& function, double rate) { step_(function, rate); }
  /// The parameters as they were, while the optimizer goes on.
  void back_to_first_values() {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      Var variable = of_.patient.parameters[i].variable;
      variable.set_value(copy_of(values_[i]));
    }
  }
  /// A parameter as it was at the beginning.
  const Tensor& first_value(std::size_t parameter) const { return values_[parameter]; }

 private:
  const Case& of_;
  Patient::Step step_;
  std::vector<Tensor> values_, gradients_;
};

}  // namespace gradual::experiments
