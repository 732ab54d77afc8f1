// The gradients of a loss are computed together with its value; the backward pass only multiplies them by dy.
#include <gradual/autograd/operations.hpp>

#include <utility>

namespace gradual {
namespace {

Tensor scaled(const Tensor& gradient, const Tensor& dy) {
  return dy.item() == 1 ? gradient : gradient * dy.item();
}

}  // namespace

Var cross_entropy(const Var& logits, const Indices& targets, const CrossEntropyOptions& options) {
  LossGradients result =
      cross_entropy(logits.value(), targets, options, grad_enabled() && logits.requires_grad());
  return record("cross_entropy", Tensor::scalar(result.loss),
                {{logits, [gradient = result.inputs](const Tensor& dy) { return scaled(gradient, dy); }}});
}

Var linear_cross_entropy(const Var& x, const Var& weight, const Indices& targets,
                         const CrossEntropyOptions& options) {
  const bool wanted = grad_enabled() && (x.requires_grad() || weight.requires_grad());
  LossGradients result = linear_cross_entropy(x.value(), weight.value(), targets, options, wanted);
  return record("linear_cross_entropy", Tensor::scalar(result.loss),
                {{x, [gradient = result.inputs](const Tensor& dy) { return scaled(gradient, dy); }},
                 {weight, [gradient = result.weight](const Tensor& dy) { return scaled(gradient, dy); }}});
}

}  // namespace gradual
