// Many heads: the split of a row into heads and back, and attention that reads and writes heads where they
// lie, forward and backward. The library does the latter in blocks and threads
// (core/attention/attention.cpp).
#pragma once

#include <gradual/core/attention/attention.hpp>
#include <gradual/core/tensor.hpp>

namespace gradual {

/// Head h of x [B, N, H·d] has the columns from h·d on: [B, H, N, d].
Tensor split_heads(const Tensor& x, Index heads);
/// The heads [B, H, N, d] side by side: [B, N, H·d].
Tensor merge_heads(const Tensor& x);

/// softmax(QₕKₕᵀ/√d)·Vₕ for each head h, with its columns of q [B, T, H·d], k and v [B, S, H·d]; the result
/// is [B, T, H·d]. `weights` receives those of all heads, [B, H, T, S]. Of the mask, valid lengths are one
/// for each sentence.
Tensor fused_attention(const Tensor& q, const Tensor& k, const Tensor& v, Index heads,
                       const AttentionMask& mask, Tensor& weights);

struct FusedGradients {
  Tensor q, k, v;
};
/// The gradients from those weights and from dy [B, T, H·d].
FusedGradients fused_attention_backward(const Tensor& q, const Tensor& k, const Tensor& v, Index heads,
                                        const Tensor& weights, const Tensor& dy);

}  // namespace gradual
