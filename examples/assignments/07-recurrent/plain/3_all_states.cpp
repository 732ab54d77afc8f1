#include <algorithm>

#include <gradual/core/layers/recurrent.hpp>

namespace gradual {

Tensor stack_states(const std::vector<Tensor>& states, Index width, const Indices& lengths) {
  const Index B = states[0].dim(0), W = states[0].dim(1), T = static_cast<Index>(states.size());
  Tensor all = Tensor::zeros({B, T, width});
  Real* to = all.mutable_data();
  for (Index b = 0; b < B; ++b) {
    const Index length = lengths.size() == 0 ? T : lengths[b];
    for (Index t = 0; t < length; ++t)
      for (Index i = 0; i < width; ++i)
        to[(b * T + t) * width + i] = states[static_cast<std::size_t>(t)].data()[b * W + i];
  }
  return all;
}

}  // namespace gradual
