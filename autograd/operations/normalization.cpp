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

// In a residual block x has a gradient already: a rule that adds to it in place saves a pass. The rule gets
// where to put dx, and whether to add.
template <class Rule>
void differentiate_norm(const Gradient& dx, const Shape& shape, Rule rule) {
  if (dx.wanted() && !dx.empty()) return rule(dx.sum(), true);
  Tensor own(shape);
  rule(own, false);
  dx.add(std::move(own));
}

Var layer_norm(const Var& x, const Var& gain, const Var& bias, Real epsilon) {
  NormStatistics statistics;
  Tensor y = layer_norm(x.value(), gain.value(), bias.value(), epsilon, statistics);
  return record(
      "layer_norm", std::move(y), std::vector<Var>{x, gain, bias},
      [x = x.value(), gain = gain.value(), statistics](const Tensor& dy, const std::vector<Gradient>& dx) {
        differentiate_norm(dx[0], x.shape(), [&](Tensor& d_input, bool accumulate) {
          NormGradients gradients = layer_norm_backward(x, gain, statistics, dy, d_input, accumulate);
          dx[1].add(std::move(gradients.gain));
          dx[2].add(std::move(gradients.bias));
        });
      });
}

Var rms_norm(const Var& x, const Var& gain, Real epsilon) {
  NormStatistics statistics;
  Tensor y = rms_norm(x.value(), gain.value(), epsilon, statistics);
  return record(
      "rms_norm", std::move(y), std::vector<Var>{x, gain},
      [x = x.value(), gain = gain.value(), statistics](const Tensor& dy, const std::vector<Gradient>& dx) {
        differentiate_norm(dx[0], x.shape(), [&](Tensor& d_input, bool accumulate) {
          dx[1].add(rms_norm_backward(x, gain, statistics, dy, d_input, accumulate));
        });
      });
}

}  // namespace gradual
