// Differentiable operations, each with its equation: products, rows, attention, recurrent steps, losses. The
// rules that differentiate them stand in operations/*.cpp. This header brings the rest as well, which serve
// Tensor and Var alike: `sum` and `mean` (core/elements/reductions.hpp), `exp`, `tanh`, `relu` and other
// functions of each element (functions.hpp), `+`, `*` and comparisons (arithmetic.hpp), `reshape`,
// `transpose`, `slice` (arrangement.hpp).
//
// Shapes that do not fit throw std::invalid_argument with the operation's name and all shapes.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <gradual/autograd/var.hpp>
#include <gradual/core/attention/additive.hpp>
#include <gradual/core/attention/attention.hpp>
#include <gradual/core/attention/rotary.hpp>
#include <gradual/core/elements/arithmetic.hpp>
#include <gradual/core/elements/arrangement.hpp>
#include <gradual/core/elements/broadcast.hpp>
#include <gradual/core/elements/functions.hpp>
#include <gradual/core/elements/reductions.hpp>
#include <gradual/core/indices.hpp>
#include <gradual/core/layers/dropout.hpp>
#include <gradual/core/layers/edges.hpp>
#include <gradual/core/layers/recurrent.hpp>
#include <gradual/core/products/products.hpp>
#include <gradual/core/rows/loss.hpp>
#include <gradual/core/rows/norms.hpp>
#include <gradual/core/rows/rows.hpp>

namespace gradual {

// ---- Operations written once: of core/elements/, with their values and rules; Var adds this

/// Operations written once take variables, too.
template <>
struct IsOperand<Var> : std::true_type {};
/// The numbers of a variable.
inline const Tensor& tensor_of(const Var& x) { return x.value(); }

/// operation(x, parameters…) with its rule recorded.
template <class Function, class... Parameters>
Var apply(const Function& operation, const Var& x, const Parameters&... parameters) {
  Operation result = operation(x.value(), parameters...);
  return record(result.name, std::move(result.value), {{x, std::move(result.da), std::move(result.add_da)}});
}
/// operation(a, b) with both of its rules recorded.
template <class Function>
Var apply_both(const Function& operation, const Var& a, const Var& b) {
  Operation result = operation(a.value(), b.value());
  return record(result.name, std::move(result.value), {{a, std::move(result.da)}, {b, std::move(result.db)}});
}
/// The same for a temporary a, of which the graph needs no more than its node: its memory, which is near, is
/// given back for what is computed next.
template <class Function>
Var apply_both(const Function& operation, Var&& a, const Var& b) {
  Var y = apply_both(operation, std::as_const(a), b);
  a.give_back();
  return y;
}

// ---- Products (operations/products.cpp)

/// y[…, i, j] = Σ_k a[…, i, k]·b[…, k, j]; the axes before the last two broadcast; the last two of either are
/// swapped first where asked.
Var matmul(const Var& a, const Var& b, Transposes transposes = {});
/// Einstein's sum of products: the letters of the pattern name the axes of a, b and y, and a letter that y
/// does not have is summed over. `einsum("bqd,bkd->bqk", a, b)` is y_bqk = Σ_d a_bqd·b_bkd
/// (operations/einsum.cpp). Throws std::invalid_argument for a pattern that does not fit the shapes, and for
/// a letter that stands twice in one operand or only in y.
Var einsum(const std::string& pattern, const Var& a, const Var& b);
Tensor einsum(const std::string& pattern, const Tensor& a, const Tensor& b);
/// y = x·Wᵀ + b for x [..., in], W [out, in], b [out] (or undefined: none).
Var linear(const Var& x, const Var& weight, const Var& bias = {});

// ---- Softmax and norms, along the last axis (operations/normalization.cpp)

/// y_i = e^(x_i) / Σ_j e^(x_j)
///
/// A row of -∞ alone is all zeros.
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
  Var source;       // [B, N, …]
  Index first = 0;  // the first of these columns
};

/// What attention takes besides queries, keys and values.
struct AttentionOptions {
  AttentionMask mask;   // which keys a query may look at
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

// ---- Dropout (operations/dropout.cpp)

/// x ⊙ mask with mask = 0 with probability p and 1/(1 - p) otherwise (Srivastava et al. 2014).
Var dropout(const Var& x, DropoutMask mask);
/// x + dropout(y): the end of a residual block, in one pass.
Var add_dropped(const Var& x, const Var& y, DropoutMask mask);
/// dropout(relu(x)) in one pass.
Var relu_dropped(const Var& x, DropoutMask mask);

// ---- Arrangement (operations/arrangement.cpp)

/// Joined along an axis.
Var concat(const std::vector<Var>& parts, Index axis);
/// Joined along a new axis; see core/elements/arrangement.hpp.
inline Var stack(const std::vector<Var>& parts, Index axis = 0) { return stack<Var>(parts, axis); }
/// first … last - 1 along an axis.
Var slice(const Var& x, Index axis, Index first, Index last);
/// y[…, i, …] = x[…, indices[…, i, …], …] along an axis; the other sizes of x and indices are equal.
Var gather(const Var& x, Index axis, const Indices& indices);
/// The rows of a table [V, D] that the indices [...] name: [..., D].
Var embedding(const Indices& indices, const Var& table);

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
/// target] + ε/V, for logits [..., V] and targets [...]; for two passes of one text, more about how far these
/// are apart (see CrossEntropyOptions::consistency).
Var cross_entropy(const Var& logits, const Indices& targets, const CrossEntropyOptions& options = {});
/// cross_entropy(x·Wᵀ, targets) without the whole table of logits in memory: x [..., D], W [V, D].
Var linear_cross_entropy(const Var& x, const Var& weight, const Indices& targets,
                         const CrossEntropyOptions& options = {});

}  // namespace gradual
