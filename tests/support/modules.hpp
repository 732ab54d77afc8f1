// Gradient checks of whole modules, for tests in double.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <gradual/autograd/gradient_check.hpp>
#include <gradual/nn/module.hpp>

#include "support/catch.hpp"
#include "support/tensors.hpp"

namespace gradual {

using NamedInputs = std::vector<std::pair<std::string, Var>>;

/// Gradients of Σ w_i·y_i for y = output() against finite differences at 1e-6: those of all the module's
/// parameters and of the inputs, each of which must matter.
template <class Module>
void check_module(Module& module, NamedInputs inputs, const std::function<Var()>& output) {
  for (const NamedParameter& parameter : parameters(module))
    inputs.emplace_back(parameter.name, parameter.variable);
  const GradientCheck check = check_gradients([&] { return weighted_sum(output()); }, inputs);
  INFO(check);
  CHECK(check);
  CHECK(check.unused.empty());
}

/// A variable of random numbers that gradients are collected for.
inline Var random_variable(const Shape& shape, std::uint64_t seed) {
  return Var::parameter(random_tensor(shape, seed));
}

}  // namespace gradual
