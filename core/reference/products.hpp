// Matrix products, plainly.
#pragma once

#include <gradual/core/reference/array.hpp>

namespace gradual::reference {

/// y[i, j] = Σ_p a[i, p]·b[p, j]
Array matmul(const Array& a, const Array& b);

/// y = x·Wᵀ + b for x [N, in], W [out, in], b [out].
Array linear(const Array& x, const Array& weight, const Array& bias);

}  // namespace gradual::reference
