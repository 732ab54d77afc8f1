// Matrix products, plainly.
#pragma once

#include <gradual/core/products/quantized_rows.hpp>
#include <gradual/core/reference/array.hpp>

namespace gradual::reference {

/// y[i, j] = Σ_p a[i, p]·b[p, j]
Array matmul(const Array& a, const Array& b);

/// y = x·Wᵀ + b for x [N, in], W [out, in], b [out].
Array linear(const Array& x, const Array& weight, const Array& bias);

/// y[i, j] = sᵢ·tⱼ·Σ_p q[i, p]·r[j, p] for the rows of A [m, k] and of Bᵀ [n, k] in 8 bits.
Tensor int8_matmul(const QuantizedRows& a, const QuantizedRows& b);

}  // namespace gradual::reference
