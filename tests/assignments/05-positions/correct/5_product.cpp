// A column of slopes times a row of distances.
#include <cmath>

#include <gradual/core/elements/arithmetic.hpp>
#include <gradual/nn/positions/in_attention.hpp>

namespace gradual {

Tensor alibi_biases(Index heads, Index queries, Index keys) {
  Tensor slopes({heads, 1}), distances({1, queries + keys - 1});
  Real ratio = static_cast<Real>(std::exp2(-8 / static_cast<double>(heads))), slope = 1;
  for (Index h = 0; h < heads; ++h) slopes.mutable_data()[h] = slope *= ratio;
  for (Index n = 0; n < distances.size(); ++n)
    distances.mutable_data()[n] = static_cast<Real>(n < keys ? keys - 1 - n : n - keys + 1);
  return -(slopes * distances);
}

}  // namespace gradual
