// dV as the transpose of dYᵀ·P.
#include <gradual/core/elements/arrangement.hpp>
#include <gradual/core/products/products.hpp>

#include "03-attention/attention.hpp"

namespace gradual {

AverageGradients attention_average_backward(const Tensor& weights, const Tensor& v, const Tensor& dy) {
  return {matmul(dy, transpose(v)), transpose(matmul(transpose(dy), weights))};
}

}  // namespace gradual
