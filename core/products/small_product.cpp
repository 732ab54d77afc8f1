#include <gradual/core/products/small_product.hpp>

#include <gradual/core/products/openblas.hpp>

namespace gradual {

void small_product(Index m, Index n, Index k, MatrixView a, MatrixView b, const ProductResult& result) {
  Real turned[64 * 64];
  for (Index p = 0; p < k; ++p) {
    for (Index j = 0; j < n; ++j) turned[p * n + j] = b.data[j * b.stride + p];
  }
  openblas_product(m, n, k, a, {turned, n}, result);
}

}  // namespace gradual
