#include <cmath>

#include <gradual/core/products/products.hpp>
#include <gradual/core/xtensor.hpp>

#include "03-attention/attention.hpp"

namespace gradual {

ScoreGradients attention_scores_backward(const Tensor& q, const Tensor& k, const Tensor& weights,
                                         const Tensor& d_weights) {
  const xt::xarray<Real> p = as_xtensor(weights), flow = p * as_xtensor(d_weights);
  const xt::xarray<Real> total = xt::sum(flow, {2}, xt::keep_dims);
  const Tensor slopes = from_xtensor(xt::xarray<Real>((flow - p * total) / std::sqrt(Real(q.dim(2)))));
  return {matmul(slopes, k), matmul(slopes, q, {true, false})};
}

}  // namespace gradual
