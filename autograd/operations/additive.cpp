#include <gradual/autograd/operations.hpp>

#include <utility>

namespace gradual {

Var additive_scores(const Var& queries, const Var& keys, const Var& v) {
  const auto value = [](const Var& x) { return x.defined() ? x.value() : Tensor(); };  // refused by its shape
  const Tensor q = value(queries), k = value(keys), w = value(v);
  return record("additive_scores", additive_scores(q, k, w), std::vector<Var>{queries, keys, v},
                [=](const Tensor& dy, const std::vector<Gradient>& dx) {
                  AdditiveGradients gradients = additive_scores_backward(q, k, w, dy);
                  dx[0].add(std::move(gradients.q));
                  dx[1].add(std::move(gradients.k));
                  dx[2].add(std::move(gradients.v));
                });
}

}  // namespace gradual
