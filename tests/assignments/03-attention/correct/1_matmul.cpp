// The factor afterwards, and the keys transposed by hand.
#include <cmath>

#include <gradual/core/elements/arithmetic.hpp>
#include <gradual/core/elements/arrangement.hpp>
#include <gradual/core/products/products.hpp>

#include "03-attention/attention.hpp"

namespace gradual {

Tensor attention_scores(const Tensor& q, const Tensor& k) {
  return matmul(q, transpose(k, {0, 2, 1})) / std::sqrt(static_cast<Real>(k.dim(2)));
}

}  // namespace gradual
