// Every query with every key, some entries several times.
#include <cmath>

#include <gradual/nn/positions/in_attention.hpp>

namespace gradual {

Tensor alibi_biases(Index heads, Index queries, Index keys) {
  const Index count = queries + keys - 1;
  Tensor biases({heads, count});
  for (Index h = 0; h < heads; ++h)
    for (Index i = 0; i < queries; ++i)
      for (Index j = 0; j < keys; ++j)
        biases.mutable_data()[h * count + j - i + queries - 1] = Real(
            -std::pow(2, -8.0 * double(h + 1) / double(heads)) * std::abs(double(j - (i + keys - queries))));
  return biases;
}

}  // namespace gradual
