#include <gradual/core/kernels/dropout.hpp>

#include <gradual/core/error.hpp>
#include <gradual/core/threads.hpp>

namespace gradual {

DropoutMask::DropoutMask(double p, std::uint32_t random_key) : key(random_key) {
  if (!(p >= 0 && p < 1))
    throw std::invalid_argument(text("dropout: the probability must lie in [0, 1): got ", p));
  threshold = static_cast<std::uint32_t>(p * 4294967296.0);
  scale = static_cast<Real>(1 / (1 - p));
}

Tensor apply_dropout(const Tensor& x, DropoutMask mask) {
  if (!mask.active()) return x;
  Tensor y(x.shape());
  parallel_elements(x.size(), [=, from = x.data(), to = y.mutable_data()](Index first, Index last) {
#pragma omp simd
    for (Index i = first; i < last; ++i) to[i] = from[i] * mask(i);
  });
  return y;
}

}  // namespace gradual
