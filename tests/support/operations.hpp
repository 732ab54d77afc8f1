// Checks that every operation has to pass, for tests in double.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <gradual/autograd/gradient_check.hpp>
#include <gradual/autograd/operations.hpp>

#include "support/catch.hpp"
#include "support/tensors.hpp"

namespace gradual {

using TestedFunction = std::function<Var(const std::vector<Var>&)>;

/// Gradients of Σ w_i·y_i against finite differences at 1e-6.
inline void check_gradients_of(const TestedFunction& operation, const std::vector<Var>& inputs) {
  std::vector<std::pair<std::string, Var>> parameters;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].requires_grad()) parameters.emplace_back("input " + std::to_string(i), inputs[i]);
  }
  const GradientCheck check = check_gradients([&] { return weighted_sum(operation(inputs)); }, parameters);
  INFO(check);
  CHECK(check);
  CHECK(check.unused.empty());
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
