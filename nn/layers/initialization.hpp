// The first values of weights.
#pragma once

#include <gradual/core/random.hpp>
#include <gradual/core/tensor.hpp>

namespace gradual {

/// Uniform in [-limit, limit).
Tensor uniform_tensor(const Shape& shape, double limit, Random random);
/// Normal with mean 0 and the given standard deviation.
Tensor normal_tensor(const Shape& shape, double deviation, Random random);
/// Uniform within ±√(6 / (in + out)) for a weight [out, in], which keeps the variance of signals and
/// gradients alike (Glorot and Bengio 2010, eq. 16).
Tensor glorot_uniform(Index out, Index in, Random random);

}  // namespace gradual
