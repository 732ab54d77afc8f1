// Each weight beside each value, [B, T, S, d], summed over the keys.
#include <gradual/core/elements/arithmetic.hpp>
#include <gradual/core/elements/arrangement.hpp>
#include <gradual/core/elements/reductions.hpp>

#include "03-attention/attention.hpp"

namespace gradual {

Tensor attention_average(const Tensor& weights, const Tensor& v) {
  const Index B = v.dim(0), T = weights.dim(1), S = v.dim(1), d = v.dim(2);
  return sum(reshape(weights, {B, T, S, 1}) * reshape(v, {B, 1, S, d}), {2});
}

}  // namespace gradual
