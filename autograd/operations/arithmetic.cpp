// A table of derivatives: for each input, dy ↦ dx. Where an input was repeated to fit, its gradient is summed
// back.
#include <gradual/autograd/operations.hpp>

namespace gradual {

Var operator+(const Var& a, const Var& b) {
  return record("add", a.value() + b.value(),
                {{a, [shape = a.shape()](const Tensor& dy) { return sum_to(dy, shape); }},
                 {b, [shape = b.shape()](const Tensor& dy) { return sum_to(dy, shape); }}});
}

Var operator-(const Var& a, const Var& b) {
  return record("sub", a.value() - b.value(),
                {{a, [shape = a.shape()](const Tensor& dy) { return sum_to(dy, shape); }},
                 {b, [shape = b.shape()](const Tensor& dy) { return -sum_to(dy, shape); }}});
}

Var operator*(const Var& a, const Var& b) {
  return record(
      "mul", a.value() * b.value(),
      {{a, [b = b.value(), shape = a.shape()](const Tensor& dy) { return sum_to(dy * b, shape); }},
       {b, [a = a.value(), shape = b.shape()](const Tensor& dy) { return sum_to(dy * a, shape); }}});
}

Var operator/(const Var& a, const Var& b) {
  const Tensor y = a.value() / b.value();
  return record(
      "div", y,
      {{a, [b = b.value(), shape = a.shape()](const Tensor& dy) { return sum_to(dy / b, shape); }},
       {b, [b = b.value(), y, shape = b.shape()](const Tensor& dy) { return -sum_to(dy * y / b, shape); }}});
}

Var operator-(const Var& a) {
  return record("neg", -a.value(), {{a, [](const Tensor& dy) { return -dy; }}});
}

Var operator*(const Var& a, Real factor) {
  return record("scale", a.value() * factor, {{a, [factor](const Tensor& dy) { return dy * factor; }}});
}

Var operator*(Real factor, const Var& a) { return a * factor; }
Var operator/(const Var& a, Real divisor) { return a * (1 / divisor); }

Var operator+(const Var& a, Real term) {
  return record("add", a.value() + Tensor::scalar(term), {{a, [](const Tensor& dy) { return dy; }}});
}

Var operator-(const Var& a, Real term) { return a + -term; }

}  // namespace gradual
