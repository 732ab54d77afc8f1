// A block that is computed once more when the walk back comes to it, as in the book (Chen et al. 2016).
#pragma once

#include <functional>

#include <gradual/autograd/var.hpp>

namespace gradual {

// Parameters inside the block get their gradients from a walk inside the rule.
inline Var recomputed(const std::function<Var(const Var&)>& block, const Var& input) {
  Tensor y;
  {
    const NoGrad no_grad;
    y = block(input).value();
  }
  return record("recomputed", y, {{input, [block, kept = input.value()](const Tensor& dy) {
                                     const Var start = Var::parameter(kept);
                                     backward(block(start), dy);
                                     return start.grad();
                                   }}});
}

}  // namespace gradual
