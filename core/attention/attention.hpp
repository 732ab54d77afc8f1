// Scaled dot-product attention of many heads, forward and backward.
#pragma once

#include <gradual/core/indices.hpp>
#include <gradual/core/layers/dropout.hpp>
#include <gradual/core/tensor.hpp>

namespace gradual {

/// B batches, H heads, T queries and S keys of d_k numbers each, and values of d_v.
struct AttentionSizes {
  Index batch, heads, queries, keys, key_width, value_width;  // B, H, T, S, d_k and d_v
};

/// Which keys a query may look at, and how its weights are made.
struct AttentionMask {
  /// The number of keys of each sentence that are not padding, [B], or of each query, [B, T]; empty: all.
  Indices valid_lengths;
  /// Query i sees the keys up to its own position, i + S - T.
  bool causal = false;
  /// Query i sees only the keys at most this many places away from it; 0: near and far. Time and memory then
  /// grow with T·window instead of T·S.
  Index window = 0;
};

/// A range of keys, first … last - 1.
struct KeyRange {
  Index first, last;  // the first of them, and one past the last
};
/// The keys that the mask lets a query see by its place among T queries and S keys: all but those that
/// `causal` and `window` hide. The range may be empty.
KeyRange visible_places(const AttentionMask& mask, Index query, Index queries, Index keys);

/// What attention does besides its products: who sees whom, the scale, dropout, and a bias for distances.
struct AttentionSettings {
  AttentionMask mask;   // which keys a query may look at
  Real scale;           // 1/√d_k in Vaswani et al. 2017, eq. 1
  DropoutMask dropout;  // of the weights
  /// What is added to the score of query i and key j, by head and by the distance from the one to the other:
  /// bias[h, j - i + T - 1], [H, T + S - 1]. Not defined: nothing.
  Tensor bias;
};

/// The queries, keys or values of all heads: row n of batch b starts at data + (b·N + n)·stride, and head h
/// of it at column h·width. Heads are read where they lie in a packed projection, without a copy.
struct HeadsView {
  const Real* data;
  Index stride;
};
/// A HeadsView of heads that are written.
struct WritableHeadsView {
  Real* data;
  Index stride;
};

/// Throws std::invalid_argument when valid lengths have neither shape [B] nor [B, T] or lie outside 0 … S, or
/// the window is negative.
void check_attention_mask(const AttentionMask& mask, const AttentionSizes& sizes);

/// What the backward pass reads again: the weights [B, H, T, S] for up to 128 keys, and beyond that two
/// numbers of each row [B, H, T, 2], from which blocks of weights are computed anew: its largest score, and
/// 1/Σ e^(score - largest), which is 0 for a query that sees no key.
struct AttentionMemory {
  Tensor weights, totals;  // the weights, where they are kept; else the two numbers of each row
};

/// out = softmax(scale·Q·Kᵀ + bias, masked)·V for each head. `all_weights` keeps the weights whatever the
/// number of keys. Throws std::invalid_argument when mask, bias and sizes do not fit together. The plain
/// version is reference::attention().
///
/// Keys and values before the first and behind the last that any query of the sentence sees may hold
/// anything. What lies between has to be finite, also to who does not see it: there it counts 0 times, and
/// 0·∞ is not a number.
AttentionMemory attention_forward(const AttentionSizes& sizes, const AttentionSettings& settings, HeadsView q,
                                  HeadsView k, HeadsView v, WritableHeadsView out, bool all_weights);

/// With P the weights, O = P·V and dO the gradient of O:
///   dV = Pᵀ·dO,  dP = dO·Vᵀ,  dS = P ⊙ (dP - Σ_j P_j·dP_j),  dQ = scale·dS·K,  dK = scale·dSᵀ·Q.
/// The result is the gradient of the bias, Σ_b,i dS[i, i + distance], [H, T + S - 1], where `with_bias` asks
/// for it.
Tensor attention_backward(const AttentionSizes& sizes, const AttentionSettings& settings,
                          const AttentionMemory& memory, HeadsView q, HeadsView k, HeadsView v,
                          HeadsView d_out, WritableHeadsView dq, WritableHeadsView dk, WritableHeadsView dv,
                          bool with_bias);

}  // namespace gradual
