#include <gradual/autograd/operations.hpp>

namespace gradual {

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
