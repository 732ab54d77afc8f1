// Each head in matrices of its own, whole tensors at a time.
#include <cmath>

#include <gradual/core/elements/arithmetic.hpp>
#include <gradual/core/elements/arrangement.hpp>
#include <gradual/core/elements/reductions.hpp>
#include <gradual/core/products/products.hpp>

#include "04-heads/heads.hpp"

namespace gradual {

FusedGradients fused_attention_backward(const Tensor& q, const Tensor& k, const Tensor& v, Index heads,
                                        const Tensor& weights, const Tensor& dy) {
  const Index B = q.dim(0), d = q.dim(2) / heads;
  const auto split = [&](const Tensor& x) {
    return transpose(x.reshaped({B, x.dim(1), heads, d}), {0, 2, 1, 3});
  };
  const auto merge = [&](const Tensor& x) { return transpose(x, {0, 2, 1, 3}).reshaped({B, x.dim(2), -1}); };
  const Tensor upstream = split(dy), dp = matmul(upstream, split(v), {false, true});
  const Tensor ds = weights * (dp - sum(weights * dp, {-1}, Axis::kept)) / std::sqrt(static_cast<Real>(d));
  return {merge(matmul(ds, split(k))), merge(matmul(ds, split(q), {true, false})),
          merge(matmul(weights, upstream, {true, false}))};
}

}  // namespace gradual
