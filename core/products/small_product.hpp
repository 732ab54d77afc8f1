// Products A·Bᵀ of small matrices, such as the scores of an attention head.
//
// OpenBLAS multiplies small matrices where they lie, all but A·Bᵀ: for these it takes memory for copies,
// under a lock that threads would queue for. So B is turned round first.
#pragma once

#include <gradual/core/products/matrix_view.hpp>

namespace gradual {

/// Whether small_product() takes less time than OpenBLAS alone: for A·Bᵀ whose B fits the first-level cache.
inline bool prefers_turning(Index m, Index n, Index k, const MatrixView& a, const MatrixView& b) {
  return b.transposed && !a.transposed && n * k <= 64 * 64 && m * n * k <= 64 * 64 * 64;
}

/// A·B for a transposed B that prefers_turning(), on the calling thread.
void small_product(Index m, Index n, Index k, MatrixView a, MatrixView b, const ProductResult& result);

}  // namespace gradual
