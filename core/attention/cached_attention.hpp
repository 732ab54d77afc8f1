// Attention of one new word for each row of a batch, to keys and values that are already there.
#pragma once

#include <cstdint>
#include <vector>

#include <gradual/core/attention/attention.hpp>

namespace gradual {

/// Where the keys and values of each row of a batch lie. Rows may share them, and they need not be
/// neighbours.
struct KeyTable {
  Index most = 0;                    // the most keys of a row
  std::vector<std::int32_t> counts;  // [B]: the keys of each row
  std::vector<const Real*> keys;     // [B, most]: G·d numbers of a key, and its value's G·d right behind
  /// G: heads of keys and values, each of which serves H/G heads of queries; 0: H, one for each.
  Index heads = 0;
};

/// out = softmax(q·Kᵀ/√d + bias)·V for each row of the batch, each of the heads and its one query of d
/// numbers; head h reads head h·G/H of keys and values; the bias of each head and key, [H, most], may be left
/// out. `weights`, unless null, receives the weights [B, H, 1, most]. A row without keys gives zeros. Throws
/// std::invalid_argument when the table, the heads or the bias do not fit together. The plain version is
/// reference::attention() of one query.
///
/// One query makes products of matrices and vectors, for which BLAS has nothing to gain: plain loops read
/// each key and value once, where it lies.
void cached_attention(Index heads, Index head_width, HeadsView queries, const KeyTable& table,
                      WritableHeadsView out, Tensor* weights = nullptr, const Tensor& bias = {});

}  // namespace gradual
