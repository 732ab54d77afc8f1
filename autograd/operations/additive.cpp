#include <gradual/autograd/operations.hpp>

#include <utility>

namespace gradual {

Var additive_scores(const Var& queries, const Var& keys, const Var& v) {
  return record("additive_scores", additive_scores(queries.value(), keys.value(), v.value()),
                std::vector<Var>{queries, keys, v},
                [q = queries.value(), k = keys.value(), w = v.value()](const Tensor& dy,
                                                                       const std::vector<Gradient>& dx) {
                  AdditiveGradients gradients = additive_scores_backward(q, k, w, dy);
                  dx[0].add(std::move(gradients.q));
                  dx[1].add(std::move(gradients.k));
                  dx[2].add(std::move(gradients.v));
                });
}

}  // namespace gradual
