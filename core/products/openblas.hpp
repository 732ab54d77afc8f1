// Products by OpenBLAS: the way that is taken where no other is known to be faster.
#pragma once

#include <limits>

#include <gradual/core/products/matrix_view.hpp>

namespace gradual {

/// The largest size and distance between rows that every build of BLAS can count.
constexpr Index most_for_blas = std::numeric_limits<int>::max();

/// A·B for A [m, k] and B [k, n] on the calling thread, in pieces that are no larger than `most` along any
/// axis. The inner axis is cut into pieces of some thousands besides: for some shapes OpenBLAS adds up one
/// number at a time, and the error of such a sum grows with its length.
void openblas_product(Index m, Index n, Index k, MatrixView a, MatrixView b, const ProductResult& result,
                      Index most = most_for_blas);

/// False for the serial flavour of OpenBLAS, which gives silently wrong results when two threads call it at
/// once: there products take turns.
bool blas_is_thread_safe();

}  // namespace gradual
