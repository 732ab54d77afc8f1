#include <gradual/core/products/products.hpp>

#include "03-attention/attention.hpp"

namespace gradual {

Tensor attention_average(const Tensor& weights, const Tensor& v) { return matmul(weights, v); }

}  // namespace gradual
