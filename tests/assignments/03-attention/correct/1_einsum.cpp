#include <cmath>

#include <gradual/autograd/operations.hpp>

#include "03-attention/attention.hpp"

namespace gradual {

Tensor attention_scores(const Tensor& q, const Tensor& k) {
  return einsum("btd,bsd->bts", q, k) * (1 / std::sqrt(static_cast<Real>(q.dim(2))));
}

}  // namespace gradual
