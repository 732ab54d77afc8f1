#include <gradual/autograd/operations.hpp>

namespace gradual {

Var linear(const Var& x, const Var& weight, const Var& bias) {
  const Index in = weight.dim(1), out = weight.dim(0);
  const Tensor rows = x.value().reshaped({-1, in});
  const Tensor y = linear(x.value(), weight.value(), bias.defined() ? bias.value() : Tensor());
  return record("linear", y,
                {{x,
                  [w = weight.value(), out, shape = x.shape()](const Tensor& dy) {
                    return matmul(dy.reshaped({-1, out}), w).with_shape(shape);
                  }},
                 {weight,
                  [rows, out](const Tensor& dy) {
                    return matmul(dy.reshaped({-1, out}), rows, {true, false});
                  }},
                 {bias, [out](const Tensor& dy) {
                    return sum(dy.reshaped({-1, out}), {0});
                  }}});
}

}  // namespace gradual
