// Matrix products of tensors.
#pragma once

#include <gradual/core/tensor.hpp>

namespace gradual {

struct Transposes {
  bool a = false, b = false;
};

/// y[…, i, j] = Σ_k a[…, i, k]·b[…, k, j], with the last two axes of either swapped first where asked. The
/// axes before them are batches and broadcast. Throws std::invalid_argument with both shapes when the inner
/// sizes differ.
Tensor matmul(const Tensor& a, const Tensor& b, Transposes transposes = {});

/// y = x·Wᵀ + b for x [..., in], W [out, in], b [out] (or undefined: none): [..., out].
Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias);

}  // namespace gradual
