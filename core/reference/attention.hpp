// Attention, plainly: one head of one sentence at a time.
#pragma once

#include <gradual/core/attention/attention.hpp>
#include <gradual/core/attention/rotary.hpp>
#include <gradual/core/reference/array.hpp>

namespace gradual::reference {

/// 1 where a query of a sentence may look at a key and 0 elsewhere, [T, S]: query t stands at the place
/// t + S - T.
Array visible_keys(const AttentionMask& mask, Index sentence, Index queries, Index keys);

/// What is added to the scores [T, S], from one number for each distance [T + S - 1].
Array bias_by_distance(const Array& biases, Index queries, Index keys);
/// The derivative of bias_by_distance(): the sum of the gradients for each distance.
Array bias_by_distance_backward(const Array& d_scores);

/// P = softmax(scale·Q·Kᵀ + bias) over the visible keys of each query, for Q [T, d_k], K [S, d_k] and the
/// others [T, S]; 0 for the other keys, and for all where none is visible.
Array attention_weights(const Array& q, const Array& k, double scale, const Array& bias,
                        const Array& visible);

/// O = (P ⊙ M)·V with the mask M of dropout [T, S], for V [S, d_v].
Array attention(const Array& weights, const Array& dropout, const Array& v);

/// The derivatives of a loss by queries, keys, values and scores.
struct AttentionGradients {
  Array q, k, v, scores;  // that of the scores is that of the bias, too
};
/// dV = (P ⊙ M)ᵀ·dO,  dP = M ⊙ dO·Vᵀ,  dS = P ⊙ (dP - Σ_j P_j·dP_j),  dQ = scale·dS·K,  dK = scale·dSᵀ·Q.
AttentionGradients attention_backward(const Array& q, const Array& k, const Array& v, double scale,
                                      const Array& weights, const Array& dropout, const Array& d_out);

/// y[t, s] = Σ_h v_h·tanh(q[t, h] + k[s, h]) for q [T, H], k [S, H] and v [H].
Array additive_scores(const Array& q, const Array& k, const Array& v);

/// The derivatives of a loss by q, k and v.
struct AdditiveGradients {
  Array q, k, v;
};
/// With a = tanh(q + k) and g = dy·v ⊙ (1 - a²): dq = Σ_s g,  dk = Σ_t g,  dv = Σ_t,s dy·a.
AdditiveGradients additive_scores_backward(const Array& q, const Array& k, const Array& v, const Array& dy);

/// Pairs of columns (a, b) of x [N, W] become (a·cos θ - b·sin θ, a·sin θ + b·cos θ) with the θ of their
/// place: see gradual::rotate().
Array rotate(const Array& x, const Rotation& rotation);

}  // namespace gradual::reference
