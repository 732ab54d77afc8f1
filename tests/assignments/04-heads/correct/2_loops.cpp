#include <algorithm>

#include "04-heads/heads.hpp"

namespace gradual {

Tensor merge_heads(const Tensor& x) {
  const Index B = x.dim(0), H = x.dim(1), N = x.dim(2), d = x.dim(3);
  Tensor y({B, N, H * d});
  const Real* from = x.data();
  for (Index b = 0; b < B; ++b)
    for (Index h = 0; h < H; ++h)
      for (Index n = 0; n < N; ++n, from += d)
        std::copy(from, from + d, y.mutable_data() + (b * N + n) * H * d + h * d);
  return y;
}

}  // namespace gradual
