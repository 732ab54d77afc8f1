// Recurrent steps, sums along edges, dropout and Adam, plainly.
#pragma once

#include <vector>

#include <gradual/core/indices.hpp>
#include <gradual/core/reference/array.hpp>

namespace gradual::reference {

/// The derivatives of a loss by what a recurrent step reads.
struct StepGradients {
  Array gates, recurrent, state;  // of the inputs a, of u and of the state before
};
/// h' = (1 - z) ⊙ n + z ⊙ h with r = σ(a_r + u_r), z = σ(a_z + u_z), n = tanh(a_n + r ⊙ u_n), for a and u
/// [B, 3·H] and h [B, H].
Array gru_step(const Array& a, const Array& u, const Array& h);
/// The derivatives of gru_step(), for that of a loss by the next state.
StepGradients gru_step_backward(const Array& a, const Array& u, const Array& h, const Array& d_next);

/// (o ⊙ tanh c', c') with c' = f ⊙ c + i ⊙ g, i, f, o = σ(a + u), g = tanh(a + u), for a and u [B, 4·H] and
/// the state (h, c) [B, 2·H].
Array lstm_step(const Array& a, const Array& u, const Array& state);
/// The derivatives of lstm_step(), for that of a loss by the next state.
StepGradients lstm_step_backward(const Array& a, const Array& u, const Array& state, const Array& d_next);

/// Softmax of x [E, H] over the edges that have one target.
Array edge_softmax(const Array& x, const Indices& targets);
/// dx = y ⊙ (dy - Σ y·dy), the sum over the edges that have one target.
Array edge_softmax_backward(const Array& y, const Array& dy, const Indices& targets);

/// y[i, h] = Σ w[k, h]·x[source of k, h] over the edges k into node i: w [E, H], x [N, H·F].
Array sum_along_edges(const Array& weights, const Array& x, const Indices& sources, const Indices& targets);
/// The derivatives of a loss by the weights of edges and the vectors of nodes.
struct EdgeGradients {
  Array weights, x;
};
/// dw[k, h] = x[source of k, h]·dy[target of k, h], summed over F, and over the edges k out of node j
/// dx[j, h] = Σ w[k, h]·dy[target of k, h].
EdgeGradients sum_along_edges_backward(const Array& weights, const Array& x, const Array& dy,
                                       const Indices& sources, const Indices& targets);

/// x ⊙ mask with a mask of zeros and 1/(1 - p); its own derivative.
Array dropout(const Array& x, const Array& mask);
/// max(x, 0) ⊙ mask
Array relu_dropped(const Array& x, const Array& mask);
/// dy ⊙ mask where x > 0, else 0.
Array relu_dropped_backward(const Array& x, const Array& dy, const Array& mask);

/// A parameter and the running means of its gradient and of its square.
struct AdamState {
  Array value, m, v;
};
/// m ← β₁m + (1 - β₁)g, v ← β₂v + (1 - β₂)g², p ← p·(1 - decay) - rate·(m / (1 - β₁ᵗ)) / (√(v / (1 - β₂ᵗ)) +
/// ε)
AdamState adam_step(const AdamState& before, const Array& gradient, double rate, double beta1, double beta2,
                    double epsilon, double decay, int step);

}  // namespace gradual::reference
