#include <cmath>

#include <gradual/core/attention/additive.hpp>

namespace gradual {

Tensor additive_scores(const Tensor& q, const Tensor& k, const Tensor& v) {
  const Index B = q.dim(0), T = q.dim(1), S = k.dim(1), H = q.dim(2);
  Tensor y({B, T, S});
  Real* to = y.mutable_data();
  for (Index b = 0; b < B; ++b) {
    for (Index t = 0; t < T; ++t) {
      const Real* query = q.data() + (b * T + t) * H;
      for (Index s = 0; s < S; ++s) {
        const Real* key = k.data() + (b * S + s) * H;
        Real score = 0;
        for (Index h = 0; h < H; ++h) score += v.data()[h] * std::tanh(query[h] + key[h]);
        to[(b * T + t) * S + s] = score;
      }
    }
  }
  return y;
}

}  // namespace gradual
