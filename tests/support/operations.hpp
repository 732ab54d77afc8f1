// Checks that every operation has to pass, for tests in double.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <gradual/autograd/gradient_check.hpp>
#include <gradual/autograd/operations.hpp>
#include <gradual/nn/diagnosis/gradient_terms.hpp>

#include "support/catch.hpp"
#include "support/tensors.hpp"

namespace gradual {

using TestedFunction = std::function<Var(const std::vector<Var>&)>;

/// The terms of some elements of a gradient add up to it, at each step back to the loss.
inline void check_terms(const std::function<Var()>& loss, const Var& input) {
  GradientTermOptions all;
  all.terms = 1000;
  for (const Index element : {Index(0), input.size() / 2, input.size() - 1}) {
    std::vector<Index> place;
    for (Index axis = 0, rest = input.size(), left = element; axis < input.rank(); ++axis) {
      rest /= input.dim(axis);
      place.push_back(left / rest);
      left %= rest;
    }
    for (const GradientStep& step : explain_gradient(loss, input, place, all).steps) {
      double size = 1;
      for (const GradientTerm& term : step.terms) size = std::max(size, std::abs(term.contribution));
      INFO(step.name);
      if (!step.terms.empty() || step.gradient != 1)
        CHECK(std::abs(step.sum() - step.gradient) <= 1e-6 * size);
    }
  }
}

/// Gradients of Σ w_i·y_i against finite differences at 1e-6, and their terms.
inline void check_gradients_of(const TestedFunction& operation, const std::vector<Var>& inputs) {
  std::vector<std::pair<std::string, Var>> parameters;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].requires_grad()) parameters.emplace_back("input " + std::to_string(i), inputs[i]);
  }
  const GradientCheck check = check_gradients([&] { return weighted_sum(operation(inputs)); }, parameters);
  INFO(check);
  CHECK(check);
  CHECK(check.unused.empty());
  for (const auto& each : parameters)
    if (each.second.size() > 0) check_terms([&] { return weighted_sum(operation(inputs)); }, each.second);
}

/// The same with all inputs as parameters, with each one in turn as the only parameter among constants, and,
/// where all have one shape, with one variable in all places.
inline void check_operation(const TestedFunction& operation, const std::vector<Tensor>& values) {
  std::vector<Var> parameters;
  for (const Tensor& value : values) parameters.push_back(Var::parameter(value));
  INFO("all inputs are parameters");
  check_gradients_of(operation, parameters);
  if (values.size() == 1) return;

  bool same_shapes = true;
  for (std::size_t wanted = 0; wanted < values.size(); ++wanted) {
    INFO("only input " << wanted << " is a parameter");
    std::vector<Var> inputs(values.begin(), values.end());
    inputs[wanted] = parameters[wanted];
    check_gradients_of(operation, inputs);
    same_shapes = same_shapes && values[wanted].shape() == values[0].shape();
  }
  if (!same_shapes) return;
  INFO("one variable in all places");
  check_gradients_of(operation, std::vector<Var>(values.size(), parameters[0]));
}

}  // namespace gradual
