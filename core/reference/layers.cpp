#include <gradual/core/reference/layers.hpp>

#include <cmath>

namespace gradual::reference {
namespace {

Array sigmoid(const Array& x) { return 1 / (1 + xt::exp(-x)); }

// The i-th of some parts of x [B, parts·H].
Array part(const Array& x, std::size_t i, std::size_t parts) {
  const std::size_t H = x.shape(1) / parts;
  return xt::view(x, xt::all(), xt::range(i * H, (i + 1) * H));
}

Array side_by_side(const std::vector<Array>& parts) {
  Array all = parts[0];
  for (std::size_t i = 1; i < parts.size(); ++i) all = Array(xt::concatenate(xt::xtuple(all, parts[i]), 1));
  return all;
}

// The heads of a row of x [N, H·F], each times its weight w [H]: [H·F].
Array weighted_heads(const Array& w, const Array& row) {
  const std::size_t heads = w.size();
  Array split = row;
  split.reshape({heads, row.size() / heads});
  Array result = split * xt::view(w, xt::all(), xt::newaxis());
  result.reshape({row.size()});
  return result;
}

}  // namespace

Array gru_step(const Array& a, const Array& u, const Array& h) {
  const Array r = sigmoid(part(a, 0, 3) + part(u, 0, 3)), z = sigmoid(part(a, 1, 3) + part(u, 1, 3));
  const Array n = xt::tanh(part(a, 2, 3) + r * part(u, 2, 3));
  return (1 - z) * n + z * h;
}

StepGradients gru_step_backward(const Array& a, const Array& u, const Array& h, const Array& d_next) {
  const Array r = sigmoid(part(a, 0, 3) + part(u, 0, 3)), z = sigmoid(part(a, 1, 3) + part(u, 1, 3));
  const Array n = xt::tanh(part(a, 2, 3) + r * part(u, 2, 3));
  const Array dn = d_next * (1 - z) * (1 - n * n), dz = d_next * (h - n) * z * (1 - z);
  const Array dr = dn * part(u, 2, 3) * r * (1 - r);
  return {side_by_side({dr, dz, dn}), side_by_side({dr, dz, dn * r}), d_next * z};
}

Array lstm_step(const Array& a, const Array& u, const Array& state) {
  const Array s = a + u, i = sigmoid(part(s, 0, 4)), f = sigmoid(part(s, 1, 4)), o = sigmoid(part(s, 3, 4));
  const Array c = f * part(state, 1, 2) + i * xt::tanh(part(s, 2, 4));
  return side_by_side({o * xt::tanh(c), c});
}

StepGradients lstm_step_backward(const Array& a, const Array& u, const Array& state, const Array& d_next) {
  const Array s = a + u, i = sigmoid(part(s, 0, 4)), f = sigmoid(part(s, 1, 4)), o = sigmoid(part(s, 3, 4));
  const Array g = xt::tanh(part(s, 2, 4)), before = part(state, 1, 2), dh = part(d_next, 0, 2);
  const Array tanh_c = xt::tanh(f * before + i * g);
  const Array dc = part(d_next, 1, 2) + dh * o * (1 - tanh_c * tanh_c);
  const Array ds = side_by_side(
      {dc * g * i * (1 - i), dc * before * f * (1 - f), dc * i * (1 - g * g), dh * tanh_c * o * (1 - o)});
  return {ds, ds, side_by_side({xt::zeros_like(dh), dc * f})};
}

Array edge_softmax(const Array& x, const Indices& targets) {
  const Array e = xt::exp(x);
  Array y = e;
  for (Index k = 0; k < targets.size(); ++k) {
    Array total = xt::zeros<double>({x.shape(1)});
    for (Index j = 0; j < targets.size(); ++j)
      if (targets[j] == targets[k]) total += xt::row(e, j);
    xt::row(y, k) = xt::row(e, k) / total;
  }
  return y;
}

Array edge_softmax_backward(const Array& y, const Array& dy, const Indices& targets) {
  Array dx = y;
  for (Index k = 0; k < targets.size(); ++k) {
    Array dot = xt::zeros<double>({y.shape(1)});
    for (Index j = 0; j < targets.size(); ++j)
      if (targets[j] == targets[k]) dot += xt::row(y, j) * xt::row(dy, j);
    xt::row(dx, k) = xt::row(y, k) * (xt::row(dy, k) - dot);
  }
  return dx;
}

Array sum_along_edges(const Array& weights, const Array& x, const Indices& sources, const Indices& targets) {
  Array y = xt::zeros_like(x);
  for (Index k = 0; k < sources.size(); ++k)
    xt::row(y, targets[k]) += weighted_heads(Array(xt::row(weights, k)), Array(xt::row(x, sources[k])));
  return y;
}

EdgeGradients sum_along_edges_backward(const Array& weights, const Array& x, const Array& dy,
                                       const Indices& sources, const Indices& targets) {
  const std::size_t heads = weights.shape(1);
  EdgeGradients gradients{xt::zeros_like(weights), sum_along_edges(weights, dy, targets, sources)};
  for (Index k = 0; k < sources.size(); ++k) {
    Array products = xt::row(x, sources[k]) * xt::row(dy, targets[k]);
    products.reshape({heads, x.shape(1) / heads});
    xt::row(gradients.weights, k) = Array(xt::sum(products, {1}));
  }
  return gradients;
}

Array dropout(const Array& x, const Array& mask) { return x * mask; }
Array relu_dropped(const Array& x, const Array& mask) { return xt::maximum(x, 0.0) * mask; }
Array relu_dropped_backward(const Array& x, const Array& dy, const Array& mask) {
  return xt::where(x > 0, dy * mask, 0.0);
}

AdamState adam_step(const AdamState& before, const Array& gradient, double rate, double beta1, double beta2,
                    double epsilon, double decay, int step) {
  const Array m = beta1 * before.m + (1 - beta1) * gradient;
  const Array v = beta2 * before.v + (1 - beta2) * gradient * gradient;
  const Array size = xt::sqrt(v / (1 - std::pow(beta2, step))) + epsilon;
  return {before.value * (1 - decay) - rate * m / (1 - std::pow(beta1, step)) / size, m, v};
}

}  // namespace gradual::reference
