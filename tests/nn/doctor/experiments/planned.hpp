// A patient whose steps are planned.
#pragma once

#include <cmath>

#include <gradual/autograd/operations.hpp>

#include "cases.hpp"

namespace gradual::experiments {

/// Parameters, a loss of them, and a step that does what is planned with them: `step(loss, rate, n)`, counted
/// from 1 since training began.
struct PlannedSteps {
  using Step = std::function<void(const std::function<Var()>& loss, double rate, Index n)>;

  PlannedSteps(const std::vector<Tensor>& values, Step step) : taken(std::move(step)) {
    for (const Tensor& each : values)
      patient.parameters.push_back({"w" + std::to_string(patient.parameters.size()), Var::parameter(each)});
    patient.loss = [this](const TranslationBatch&) { return loss(); };
    patient.begin = [this]() -> Patient::Step {
      return
          [this, n = Index{0}](const std::function<Var()>& of, double rate) mutable { taken(of, rate, ++n); };
    };
    patient.rate = [](Index) { return 0.5; };
  }
  PlannedSteps(const PlannedSteps&) = delete;
  PlannedSteps& operator=(const PlannedSteps&) = delete;

  Var& weight(std::size_t i = 0) { return patient.parameters[i].variable; }
  void set(const std::vector<Real>& numbers, std::size_t i = 0) {
    weight(i).set_value(Tensor(weight(i).shape(), numbers));
  }
  void set_gradient(const std::vector<Real>& numbers, std::size_t i = 0) {
    weight(i).mutable_grad() = Tensor(weight(i).shape(), numbers);
  }
  Answer asked(const std::vector<Experiment>& some, const char* name) {
    return experiments::asked(some, name, patient).value_or(Answer{"nothing is asked"});
  }

  Patient patient = patient_with({batch_of({}, {}, {{1}}, {{2}})}, 0, 9);
  std::function<Var()> loss = [] { return Var(Tensor::scalar(1)); };
  Step taken;
};

}  // namespace gradual::experiments
