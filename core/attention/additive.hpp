// The scores of additive attention, forward and backward.
#pragma once

#include <gradual/core/tensor.hpp>

namespace gradual {

/// y[b, t, s] = Σ_h v_h·tanh(q[b, t, h] + k[b, s, h]) for q [B, T, H], k [B, S, H] and v [H]: [B, T, S]. The
/// sums under the tanh, [B, T, S, H], are never in memory. Throws std::invalid_argument when the shapes do
/// not fit. The plain version is reference::additive_scores().
Tensor additive_scores(const Tensor& q, const Tensor& k, const Tensor& v);

/// The derivatives of a loss by q [B, T, H], k [B, S, H] and v [H].
struct AdditiveGradients {
  Tensor q, k, v;  // each of the shape of what it is the gradient of
};
/// With a = tanh(q + k), computed again:
///   dq[b, t, h] = Σ_s dy·v_h·(1 - a²),  dk[b, s, h] = Σ_t dy·v_h·(1 - a²),  dv_h = Σ_b,t,s dy·a.
AdditiveGradients additive_scores_backward(const Tensor& q, const Tensor& k, const Tensor& v,
                                           const Tensor& dy);

}  // namespace gradual
