#include <vector>

#include <gradual/core/elements/arrangement.hpp>

#include "04-heads/heads.hpp"

namespace gradual {

Tensor split_heads(const Tensor& x, Index heads) {
  const Index d = x.dim(2) / heads;
  std::vector<Tensor> all;
  for (Index h = 0; h < heads; ++h) all.push_back(slice(x, 2, h * d, (h + 1) * d));
  return stack(all, 1);
}

}  // namespace gradual
