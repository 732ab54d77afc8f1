#include <gradual/autograd/operations.hpp>

#include <utility>

namespace gradual {

// With Y = A·B:  dA = dY·Bᵀ and dB = Aᵀ·dY; a transposed input gets the transpose of that.
Var matmul(const Var& a, const Var& b, Transposes t) {
  // Batches that meet the same B are the rows of one larger product, forward and backward.
  if (a.rank() > 2 && b.rank() == 2 && !t.a && a.dim(-1) == b.dim(t.b ? -1 : -2)) {
    const Shape batches = a.shape().slice(0, a.rank() - 1);
    const Var rows = matmul(reshape(a, {batches.size(), a.dim(-1)}), b, t);
    std::vector<Index> shape(batches.begin(), batches.end());
    shape.push_back(rows.dim(-1));
    return reshape(rows, shape);
  }
  const auto da = [b = b.value(), t, shape = a.shape()](const Tensor& dy) {
    return sum_to(t.a ? matmul(b, dy, {t.b, true}) : matmul(dy, b, {false, !t.b}), shape);
  };
  const auto db = [a = a.value(), t, shape = b.shape()](const Tensor& dy) {
    return sum_to(t.b ? matmul(dy, a, {true, t.a}) : matmul(a, dy, {!t.a, false}), shape);
  };
  return record("matmul", matmul(a.value(), b.value(), t), {{a, da}, {b, db}});
}

// With Y = X·Wᵀ + b:  dX = dY·W,  dW = dYᵀ·X,  db = Σ_rows dY.
Var linear(const Var& x, const Var& weight, const Var& bias) {
  const Tensor bias_value = bias.defined() ? bias.value() : Tensor();
  Tensor y = linear(x.value(), weight.value(), bias_value);
  const Index in = weight.dim(1), out = weight.dim(0);
  const Index rows = x.shape().slice(0, x.rank() - 1).size();
  return record("linear", std::move(y),
                {{x,
                  [w = weight.value(), rows, out, shape = x.shape()](const Tensor& dy) {
                    return matmul(dy.with_shape({rows, out}), w).with_shape(shape);
                  }},
                 {weight,
                  [x = x.value(), rows, in, out](const Tensor& dy) {
                    return matmul(dy.with_shape({rows, out}), x.with_shape({rows, in}), {true, false});
                  }},
                 {bias, [out](const Tensor& dy) { return column_sums(dy, out); }}});
}

}  // namespace gradual
