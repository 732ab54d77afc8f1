// One joint rule, and nothing but loops.
#include <utility>
#include <vector>

#include <gradual/autograd/operations.hpp>

namespace gradual {

Var linear(const Var& x, const Var& weight, const Var& bias) {
  const Tensor from = x.value(), w = weight.value();
  const Index in = w.dim(1), out = w.dim(0), rows = from.size() / in;
  Shape shape = from.shape();
  shape.set(-1, out);
  Tensor y = Tensor::zeros(shape);
  for (Index r = 0; r < rows; ++r)
    for (Index o = 0; o < out; ++o) {
      Real sum = bias.defined() ? bias.value().data()[o] : 0;
      for (Index i = 0; i < in; ++i) sum += from.data()[r * in + i] * w.data()[o * in + i];
      y.mutable_data()[r * out + o] = sum;
    }
  return record("linear", y, std::vector<Var>{x, weight, bias},
                [=](const Tensor& dy, const std::vector<Gradient>& gradients) {
                  Tensor dx = Tensor::zeros(from.shape()), dw = Tensor::zeros(w.shape()),
                         db = Tensor::zeros({out});
                  for (Index r = 0; r < rows; ++r)
                    for (Index o = 0; o < out; ++o) {
                      const Real d = dy.data()[r * out + o];
                      db.mutable_data()[o] += d;
                      for (Index i = 0; i < in; ++i) {
                        dx.mutable_data()[r * in + i] += d * w.data()[o * in + i];
                        dw.mutable_data()[o * in + i] += d * from.data()[r * in + i];
                      }
                    }
                  if (gradients[0].wanted()) gradients[0].add(std::move(dx));
                  if (gradients[1].wanted()) gradients[1].add(std::move(dw));
                  if (gradients[2].wanted()) gradients[2].add(std::move(db));
                });
}

}  // namespace gradual
