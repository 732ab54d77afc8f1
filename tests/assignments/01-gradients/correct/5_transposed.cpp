// The product with the weight transposed, and the bias as a row that is added.
#include <gradual/autograd/operations.hpp>

namespace gradual {

Var linear(const Var& x, const Var& weight, const Var& bias) {
  const Tensor w = weight.value(), from = x.value();
  Tensor y = matmul(from.reshaped({-1, w.dim(1)}), transpose(w));
  if (bias.defined()) y = y + bias.value();
  Shape shape = from.shape();
  shape.set(-1, w.dim(0));
  const auto rows = [](const Tensor& t) { return t.reshaped({-1, t.dim(-1)}); };
  return record("linear", y.with_shape(shape),
                {{x, [=](const Tensor& dy) { return matmul(rows(dy), w).with_shape(from.shape()); }},
                 {weight, [=](const Tensor& dy) { return matmul(transpose(rows(dy)), rows(from)); }},
                 {bias, [=](const Tensor& dy) { return sum(rows(dy), {0}); }}});
}

}  // namespace gradual
