#include <cmath>
#include <vector>

#include "03-attention/attention.hpp"

namespace gradual {

Tensor attention_weights(const Tensor& scores, const Tensor& visible) {
  const Index B = scores.dim(0), T = scores.dim(1), S = scores.dim(2);
  Tensor weights = Tensor::zeros(scores.shape());
  for (Index b = 0; b < B; ++b) {
    for (Index t = 0; t < T; ++t) {
      std::vector<Index> seen;
      for (Index s = 0; s < S; ++s)
        if (visible({t, s}) != 0) seen.push_back(s);
      if (seen.empty()) continue;
      const Real* row = scores.data() + (b * T + t) * S;
      Real* to = weights.mutable_data() + (b * T + t) * S;
      double top = row[seen.front()], total = 0;
      for (Index s : seen) top = std::fmax(top, row[s]);
      for (Index s : seen) total += std::exp(row[s] - top);
      for (Index s : seen) to[s] = static_cast<Real>(std::exp(row[s] - top) / total);
    }
  }
  return weights;
}

}  // namespace gradual
