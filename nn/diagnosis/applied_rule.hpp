// The rules of an operation, applied from outside.
#pragma once

#include <cstddef>
#include <memory>

#include <gradual/autograd/var.hpp>

namespace gradual {

/// Jᵀ·dy for the input number `input` of an operation whose graph was kept; zeros where its rule adds
/// nothing. With `in_place`, by the rule that adds to a sum, where there is one.
inline Tensor apply_rule(const Node& node, std::size_t input, const Tensor& dy, bool in_place = false) {
  const Shape& shape = node.inputs[input]->shape;
  if (!node.joint_rule) {
    const auto& [rule, addition] = node.rules[input];
    if (!in_place || !addition) return rule(dy);
    Tensor sum = Tensor::zeros(shape);
    addition(dy, sum);
    return sum;
  }
  Node receiver("rule", shape);
  std::vector<Gradient> dx;
  for (std::size_t i = 0; i < node.inputs.size(); ++i)
    dx.emplace_back(node.operation, i == input ? &receiver : nullptr);
  node.joint_rule(dy, dx);
  return receiver.grad.defined() ? receiver.grad : Tensor::zeros(shape);
}

}  // namespace gradual
