#include "04-heads/heads.hpp"

namespace gradual {

Tensor split_heads(const Tensor& x, Index heads) {
  const Index B = x.dim(0), N = x.dim(1), d = x.dim(2) / heads;
  Tensor y({B, heads, N, d});
  Real* to = y.mutable_data();
  for (Index b = 0; b < B; ++b)
    for (Index h = 0; h < heads; ++h)
      for (Index n = 0; n < N; ++n)
        for (Index i = 0; i < d; ++i) *to++ = x.data()[((b * N + n) * heads + h) * d + i];
  return y;
}

}  // namespace gradual
