#include <cmath>
#include <numeric>
#include <vector>

#include <gradual/core/attention/additive.hpp>

namespace gradual {

// All hidden units of a pair first, then their product with v.
Tensor additive_scores(const Tensor& q, const Tensor& k, const Tensor& v) {
  const Index B = q.dim(0), T = q.dim(1), S = k.dim(1), H = v.dim(0);
  Tensor y({B, T, S});
  std::vector<Real> hidden(static_cast<std::size_t>(H));
  Real* to = y.mutable_data();
  for (Index row = 0; row < B * T; ++row) {
    for (Index s = 0; s < S; ++s) {
      const Real *query = q.data() + row * H, *key = k.data() + (row / T * S + s) * H;
      for (std::size_t h = 0; h < hidden.size(); ++h) hidden[h] = std::tanh(query[h] + key[h]);
      *to++ = std::inner_product(hidden.begin(), hidden.end(), v.data(), Real(0));
    }
  }
  return y;
}

}  // namespace gradual
