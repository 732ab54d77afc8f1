// Head after head, whose columns are cut out and put back.
#include <cmath>

#include <gradual/core/elements/arithmetic.hpp>
#include <gradual/core/elements/arrangement.hpp>
#include <gradual/core/elements/reductions.hpp>
#include <gradual/core/products/products.hpp>

#include "04-heads/heads.hpp"

namespace gradual {

FusedGradients fused_attention_backward(const Tensor& q, const Tensor& k, const Tensor& v, Index heads,
                                        const Tensor& weights, const Tensor& dy) {
  const Index d = q.dim(2) / heads;
  FusedGradients all{Tensor::zeros(q.shape()), Tensor::zeros(k.shape()), Tensor::zeros(v.shape())};
  for (Index h = 0; h < heads; ++h) {
    const auto own = [&](const Tensor& x) { return slice(x, 2, h * d, (h + 1) * d); };
    const Tensor p = slice(weights, 1, h, h + 1).reshaped({q.dim(0), q.dim(1), k.dim(1)});
    const Tensor dp = matmul(own(dy), own(v), {false, true}), flow = p * dp;
    const Tensor ds = (flow - p * sum(flow, {2}, Axis::kept)) * (1 / std::sqrt(static_cast<Real>(d)));
    add_to_slice(all.q, matmul(ds, own(k)), 2, h * d);
    add_to_slice(all.k, matmul(ds, own(q), {true, false}), 2, h * d);
    add_to_slice(all.v, matmul(p, own(dy), {true, false}), 2, h * d);
  }
  return all;
}

}  // namespace gradual
