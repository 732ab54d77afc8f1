// Every differentiable operation, with its equation. The rules that differentiate them stand in
// operations/*.cpp.
//
// Shapes that do not fit throw std::invalid_argument with the operation's name and all shapes.
#pragma once

#include <vector>

#include <gradual/autograd/var.hpp>
#include <gradual/core/attention/additive.hpp>
#include <gradual/core/attention/attention.hpp>
#include <gradual/core/attention/rotary.hpp>
#include <gradual/core/elements/arrays.hpp>
#include <gradual/core/elements/elementwise.hpp>
#include <gradual/core/indices.hpp>
#include <gradual/core/layers/dropout.hpp>
#include <gradual/core/layers/edges.hpp>
#include <gradual/core/layers/recurrent.hpp>
#include <gradual/core/products/products.hpp>
#include <gradual/core/rows/loss.hpp>
#include <gradual/core/rows/norms.hpp>
#include <gradual/core/rows/rows.hpp>

namespace gradual {

// ---- Arithmetic, element by element; shapes broadcast as in NumPy (operations/arithmetic.cpp)

Var operator+(const Var& a, const Var& b);
Var operator-(const Var& a, const Var& b);
Var operator*(const Var& a, const Var& b);
Var operator/(const Var& a, const Var& b);
Var operator-(const Var& a);
Var operator*(const Var& a, Real factor);
Var operator*(Real factor, const Var& a);
Var operator/(const Var& a, Real divisor);
Var operator+(const Var& a, Real term);
Var operator-(const Var& a, Real term);

// ---- Functions, element by element (operations/functions.cpp)

Var exp(const Var& x);
Var log(const Var& x);
Var sqrt(const Var& x);
/// xᵖ
Var pow(const Var& x, Real exponent);
Var tanh(const Var& x);
/// 1 / (1 + e⁻ˣ)
Var sigmoid(const Var& x);
/// max(x, 0)
Var relu(const Var& x);
/// x where x > 0, else slope·x (Maas, Hannun and Ng 2013).
Var leaky_relu(const Var& x, Real slope);
/// x where x > 0, else eˣ - 1 (Clevert, Unterthiner and Hochreiter 2016).
Var elu(const Var& x);
/// x·Φ(x) with the normal distribution function Φ (Hendrycks and Gimpel 2016).
Var gelu(const Var& x);
/// a where the condition is not 0, else b; equal shapes.
Var where(const Tensor& condition, const Var& a, const Var& b);
/// x ⊙ mask with mask = 0 with probability p and 1/(1 - p) otherwise (Srivastava et al. 2014).
Var dropout(const Var& x, DropoutMask mask);
/// x + dropout(y): the end of a residual block, in one pass.
Var add_dropped(const Var& x, const Var& y, DropoutMask mask);
/// dropout(relu(x)) in one pass.
Var relu_dropped(const Var& x, DropoutMask mask);

// ---- Reductions (operations/reductions.cpp)

enum class Axis { dropped, kept };

/// Σ over the given axes (none: all).
Var sum(const Var& x, const Axes& axes = {}, Axis reduced = Axis::dropped);
/// The mean over the given axes (none: all).
Var mean(const Var& x, const Axes& axes = {}, Axis reduced = Axis::dropped);
/// The largest element along the given axes (none: all). Elements that share the maximum share its gradient.
Var max(const Var& x, const Axes& axes = {}, Axis reduced = Axis::dropped);

// ---- Arrangement (operations/arrangement.cpp)

/// The same elements under another shape; one size may be -1: it is worked out.
Var reshape(const Var& x, const std::vector<Index>& sizes);
/// The axes in another order; without one, the last two change places.
Var transpose(const Var& x, const Axes& order);
Var transpose(const Var& x);
/// Joined along an axis.
Var concat(const std::vector<Var>& parts, Index axis);
/// first … last - 1 along an axis.
Var slice(const Var& x, Index axis, Index first, Index last);
/// y[…, i, …] = x[…, indices[…, i, …], …] along an axis; the other sizes of x and indices are equal.
Var gather(const Var& x, Index axis, const Indices& indices);
/// The rows of a table [V, D] that the indices [...] name: [..., D].
Var embedding(const Indices& indices, const Var& table);

// ---- Products (operations/products.cpp)

/// y[…, i, j] = Σ_k a[…, i, k]·b[…, k, j]; the axes before the last two broadcast; the last two of either are
/// swapped first where asked.
Var matmul(const Var& a, const Var& b, Transposes transposes = {});
/// y = x·Wᵀ + b for x [..., in], W [out, in], b [out] (or undefined: none).
Var linear(const Var& x, const Var& weight, const Var& bias = {});

// ---- Softmax and norms, along the last axis (operations/normalization.cpp)

/// y_i = e^(x_i) / Σ_j e^(x_j)
Var softmax(const Var& x);
/// y_i = x_i - log Σ_j e^(x_j)
Var log_softmax(const Var& x);
/// Softmax over the first `valid` elements of each row and zero for the others; valid lengths are [B] or [B,
/// T] for x [B, …, S]. A row of valid length 0 is all zeros and passes no gradient.
Var masked_softmax(const Var& x, const Indices& valid);
/// y = (x - mean) / √(variance + ε) ⊙ gain + bias (Ba, Kiros and Hinton 2016).
Var layer_norm(const Var& x, const Var& gain, const Var& bias, Real epsilon = Real(1e-5));
/// y = x / √(mean(x²) + ε) ⊙ gain (Zhang and Sennrich 2019).
Var rms_norm(const Var& x, const Var& gain, Real epsilon = Real(1e-5));

// ---- Attention (operations/attention.cpp)

/// Some columns of a projection: where packed queries, keys or values start in the last axis.
struct Columns {
  Var source;  // [B, N, …]
  Index first = 0;
};

/// What attention takes besides queries, keys and values.
struct AttentionOptions {
  AttentionMask mask;
  DropoutMask dropout;  // of the weights
  Var bias;             // added to the scores by head and distance, [H, T + S - 1]; see AttentionSettings
  Tensor* weights = nullptr;  // receives the weights [B, H, T, S], before dropout
};

/// For each of the heads, softmax(Q·Kᵀ/√d_k + bias, masked)·V (Vaswani et al. 2017, eq. 1): Q [B, T, H·d_k],
/// K [B, S, H·d_k], V [B, S, H·d_v], each a range of columns of a projection, give [B, T, H·d_v].
Var attention(const Columns& q, const Columns& k, const Columns& v, Index heads, Index key_width,
              Index value_width, const AttentionOptions& options = {});

/// y[b, t, s] = Σ_h v_h·tanh(q[b, t, h] + k[b, s, h]) for q [B, T, H], k [B, S, H] and v [H]: [B, T, S]
/// (operations/additive.cpp; Bahdanau, Cho and Bengio 2015, §A.1.2).
Var additive_scores(const Var& queries, const Var& keys, const Var& v);

/// Pairs of columns of x [B, N, W] turned by angles that grow with the place (operations/rotary.cpp; Su et
/// al. 2021, eq. 34); see core/attention/rotary.hpp.
Var rotate(const Var& x, const Rotation& rotation);

// ---- Along the edges of neural graphs (operations/edges.cpp)

/// Softmax of x [E, H] over the edges with the same target.
Var edge_softmax(const Var& x, const EdgeList& edges);
/// y[i, h] = Σ weights[k, h]·x[source of k, h] over the edges k into node i: weights [E, H] and x [N, H·F]
/// give [N, H·F].
Var sum_along_edges(const Var& weights, const Var& x, const EdgeList& edges);

// ---- Recurrent networks (operations/recurrent.cpp; equations in core/layers/recurrent.hpp)

/// One step of a GRU: inputs [B, T, 3·H], recurrent [B, 3·H] and the state h [B, H] give the next h.
Var gru_step(const RecurrentStep& step, const Var& inputs, const Var& recurrent, const Var& state);
/// One step of an LSTM: inputs [B, T, 4·H], recurrent [B, 4·H] and the state (h, c) [B, 2·H] give the next
/// state.
Var lstm_step(const RecurrentStep& step, const Var& inputs, const Var& recurrent, const Var& state);
/// The first `width` numbers of T states [B, …] side by side in time, zeros beyond a sentence's length: [B,
/// T, width].
Var stack_states(const std::vector<Var>& states, Index width, const Indices& lengths);

// ---- Losses (operations/losses.cpp)

/// The mean of -Σ_j q_j·log softmax(logits)_j over the targets that are not ignored, q_j = (1 - ε)·[j =
/// target] + ε/V, for logits [..., V] and targets [...].
Var cross_entropy(const Var& logits, const Indices& targets, const CrossEntropyOptions& options = {});
/// cross_entropy(x·Wᵀ, targets) without the whole table of logits in memory: x [..., D], W [V, D].
Var linear_cross_entropy(const Var& x, const Var& weight, const Indices& targets,
                         const CrossEntropyOptions& options = {});

}  // namespace gradual
