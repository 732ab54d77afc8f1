// Scaled dot-product attention of many heads, forward and backward.
#pragma once

#include <gradual/core/indices.hpp>
#include <gradual/core/kernels/dropout.hpp>
#include <gradual/core/tensor.hpp>

namespace gradual {

/// B batches, H heads, T queries and S keys of d_k numbers each, and values of d_v.
struct AttentionSizes {
  Index batch, heads, queries, keys, key_width, value_width;
};

/// Which keys a query may look at, and how its weights are made.
struct AttentionMask {
  /// The number of keys of each sentence that are not padding, [B], or of each query, [B, T]; empty: all.
  Indices valid_lengths;
  /// Query i sees the keys up to its own position, i + S - T.
  bool causal = false;
};

struct AttentionSettings {
  AttentionMask mask;
  Real scale;  // 1/√d_k in Vaswani et al. 2017, eq. 1
  DropoutMask dropout;
};

/// The queries, keys or values of all heads: row n of batch b starts at data + (b·N + n)·stride, and head h
/// of it at column h·width. Heads are read where they lie in a packed projection, without a copy.
struct HeadsView {
  const Real* data;
  Index stride;
};
struct WritableHeadsView {
  Real* data;
  Index stride;
};

/// Throws std::invalid_argument when valid lengths have neither shape [B] nor [B, T] or lie outside 0 … S.
void check_attention_mask(const AttentionMask& mask, const AttentionSizes& sizes);

/// What the backward pass reads again: the weights [B, H, T, S] for up to 128 keys, and beyond that the
/// logarithm of each row's sum of exponentials [B, H, T], from which blocks of weights are computed anew.
struct AttentionMemory {
  Tensor weights, log_sums;
};

/// out = softmax(scale·Q·Kᵀ, masked)·V for each head. `all_weights` keeps the weights whatever the number of
/// keys.
AttentionMemory attention_forward(const AttentionSizes& sizes, const AttentionSettings& settings, HeadsView q,
                                  HeadsView k, HeadsView v, WritableHeadsView out, bool all_weights);

/// With P the weights, O = P·V and dO the gradient of O:
///   dV = Pᵀ·dO,  dP = dO·Vᵀ,  dS = P ⊙ (dP - Σ_j P_j·dP_j),  dQ = scale·dS·K,  dK = scale·dSᵀ·Q.
void attention_backward(const AttentionSizes& sizes, const AttentionSettings& settings,
                        const AttentionMemory& memory, HeadsView q, HeadsView k, HeadsView v, HeadsView d_out,
                        WritableHeadsView dq, WritableHeadsView dk, WritableHeadsView dv);

}  // namespace gradual
