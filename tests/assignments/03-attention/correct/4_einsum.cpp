#include <gradual/autograd/operations.hpp>

#include "03-attention/attention.hpp"

namespace gradual {

AverageGradients attention_average_backward(const Tensor& weights, const Tensor& v, const Tensor& dy) {
  return {einsum("bti,bsi->bts", dy, v), einsum("bts,bti->bsi", weights, dy)};
}

}  // namespace gradual
