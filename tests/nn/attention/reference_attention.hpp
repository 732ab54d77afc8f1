// Attention of many heads in the open: what the fused operation is compared with.
#pragma once

#include <cmath>
#include <vector>

#include <gradual/nn/attention/attention.hpp>
#include <gradual/nn/attention/masks.hpp>

namespace gradual {

/// For each head softmax(Q·Kᵀ/√d + bias, masked)·V from whole tables of scores, for q [B, T, H·d], k and v
/// [B, S, H·d] and a bias [H, T + S - 1] by distance, or none.
inline Var reference_attention(const Var& q, const Var& k, const Var& v, Index heads,
                               const AttentionMask& mask, const Var& bias = {}) {
  const Index width = q.dim(2) / heads, T = q.dim(1), S = k.dim(1);
  std::vector<Var> outputs;
  for (Index h = 0; h < heads; ++h) {
    const auto head = [&](const Var& x) { return slice(x, 2, h * width, (h + 1) * width); };
    Var scores = matmul(head(q), head(k), {false, true}) / std::sqrt(static_cast<Real>(width));
    if (bias.defined()) {
      std::vector<Var> rows;  // row t starts at distance -t
      for (Index t = 0; t < T; ++t)
        rows.push_back(slice(slice(bias, 0, h, h + 1), 1, T - 1 - t, T - 1 - t + S));
      scores = scores + concat(rows, 0);
    }
    outputs.push_back(batch_dot(masked_softmax(scores, mask), head(v)));
  }
  return concat(outputs, 2);
}

}  // namespace gradual
