#include <gradual/autograd/operations.hpp>

namespace gradual {

Var exp(const Var& x) {
  const Tensor y = exp(x.value());
  return record("exp", y, {{x, [y](const Tensor& dy) { return dy * y; }}});
}

Var log(const Var& x) {
  return record("log", log(x.value()), {{x, [x = x.value()](const Tensor& dy) { return dy / x; }}});
}

Var sqrt(const Var& x) {
  const Tensor y = sqrt(x.value());
  return record("sqrt", y, {{x, [y](const Tensor& dy) { return dy / (y * 2); }}});
}

Var pow(const Var& x, Real p) {
  return record("pow", pow(x.value(), p),
                {{x, [x = x.value(), p](const Tensor& dy) { return dy * (pow(x, p - 1) * p); }}});
}

Var tanh(const Var& x) {
  const Tensor y = tanh(x.value());
  return record("tanh", y, {{x, [y](const Tensor& dy) { return dy - dy * y * y; }}});
}

Var sigmoid(const Var& x) {
  const Tensor y = sigmoid(x.value());
  return record("sigmoid", y, {{x, [y](const Tensor& dy) { return dy * (y - y * y); }}});
}

Var relu(const Var& x) { return relu_dropped(x, {}); }

Var leaky_relu(const Var& x, Real slope) {
  return record(
      "leaky_relu", leaky_relu(x.value(), slope),
      {{x, [x = x.value(), slope](const Tensor& dy) { return dy * leaky_relu_derivative(x, slope); }}});
}

Var elu(const Var& x) {
  const Tensor y = elu(x.value());
  return record("elu", y, {{x, [y](const Tensor& dy) { return dy * elu_derivative(y); }}});
}

Var gelu(const Var& x) {
  return record("gelu", gelu(x.value()),
                {{x, [x = x.value()](const Tensor& dy) { return dy * gelu_derivative(x); }}});
}

Var where(const Tensor& condition, const Var& a, const Var& b) {
  return record(
      "where", where(condition, a.value(), b.value()),
      {{a, [condition](const Tensor& dy) { return where(condition, dy, Tensor::zeros(dy.shape())); }},
       {b, [condition](const Tensor& dy) { return where(condition, Tensor::zeros(dy.shape()), dy); }}});
}

Var dropout(const Var& x, DropoutMask mask) {
  if (!mask.active()) return x;
  return record("dropout", apply_dropout(x.value(), mask),
                {{x, [mask](const Tensor& dy) { return apply_dropout(dy, mask); }}});
}

Var add_dropped(const Var& x, const Var& y, DropoutMask mask) {
  return record("add_dropped", add_dropped(x.value(), y.value(), mask),
                {{x, [](const Tensor& dy) { return dy; }},
                 {y, [mask](const Tensor& dy) { return apply_dropout(dy, mask); }}});
}

Var relu_dropped(const Var& x, DropoutMask mask) {
  const Tensor y = relu_dropped(x.value(), mask);
  return record(mask.active() ? "relu_dropped" : "relu", y,
                {{x, [y, mask](const Tensor& dy) { return relu_dropped_backward(y, dy, mask); }}});
}

}  // namespace gradual
