#include <gradual/autograd/operations.hpp>

#include <utility>

namespace gradual {

Var softmax(const Var& x) {
  const Tensor y = softmax(x.value());
  return record("softmax", y, {{x, [y](const Tensor& dy) { return softmax_backward(y, dy); }}});
}

Var log_softmax(const Var& x) {
  const Tensor y = log_softmax(x.value());
  return record("log_softmax", y, {{x, [y](const Tensor& dy) { return log_softmax_backward(y, dy); }}});
}

// Weights that are 0 pass no gradient, so the rule is softmax's own.
Var masked_softmax(const Var& x, const Indices& valid) {
  const Tensor y = masked_softmax(x.value(), valid);
  return record("masked_softmax", y, {{x, [y](const Tensor& dy) { return softmax_backward(y, dy); }}});
}

Var layer_norm(const Var& x, const Var& gain, const Var& bias, Real epsilon) {
  NormStatistics statistics;
  Tensor y = layer_norm(x.value(), gain.value(), bias.value(), epsilon, statistics);
  return record(
      "layer_norm", std::move(y), std::vector<Var>{x, gain, bias},
      [x = x.value(), gain = gain.value(), statistics](const Tensor& dy, const std::vector<Gradient>& dx) {
        // In a residual block x has a gradient already: adding to it here saves a pass.
        const bool accumulate = dx[0].wanted() && !dx[0].empty();
        Tensor own = accumulate ? Tensor() : Tensor(x.shape());
        Tensor& d_input = accumulate ? dx[0].sum() : own;
        LayerNormGradients gradients = layer_norm_backward(x, gain, statistics, dy, d_input, accumulate);
        if (!accumulate) dx[0].add(std::move(own));
        dx[1].add(std::move(gradients.gain));
        dx[2].add(std::move(gradients.bias));
      });
}

}  // namespace gradual
