// Attention of one head in five steps, on whole tensors: three forward, and their gradients in two. The
// library does all of it at once, for many heads and in blocks (core/attention/attention.cpp); the tests hold
// the one against the other.
#pragma once

#include <gradual/core/tensor.hpp>

namespace gradual {

/// S = Q·Kᵀ/√d: how well each key answers each query. q [B, T, d] and k [B, S, d] give [B, T, S] (Vaswani et
/// al. 2017, eq. 1).
Tensor attention_scores(const Tensor& q, const Tensor& k);

/// P = softmax(S) over the keys that a query sees, and 0 for the others. scores [B, T, S]; visible [T, S] is
/// 1 where query t of every sentence sees key s, else 0. All weights of a query that sees no key are 0.
Tensor attention_weights(const Tensor& scores, const Tensor& visible);

/// Y = P·V: weights [B, T, S] and v [B, S, d_v] give [B, T, d_v].
Tensor attention_average(const Tensor& weights, const Tensor& v);

struct AverageGradients {
  Tensor weights, v;
};
/// dP = dY·Vᵀ and dV = Pᵀ·dY, for dy [B, T, d_v].
AverageGradients attention_average_backward(const Tensor& weights, const Tensor& v, const Tensor& dy);

struct ScoreGradients {
  Tensor q, k;
};
/// With dS = P ⊙ (dP - Σ_s P_s·dP_s): dQ = dS·K/√d and dK = dSᵀ·Q/√d. `weights` are those of the queries q
/// and keys k, d_weights the gradient by them, both [B, T, S].
ScoreGradients attention_scores_backward(const Tensor& q, const Tensor& k, const Tensor& weights,
                                         const Tensor& d_weights);

}  // namespace gradual
