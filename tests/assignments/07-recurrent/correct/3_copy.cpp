#include <algorithm>

#include <gradual/core/layers/recurrent.hpp>

namespace gradual {

// Row after row, by std::copy and std::fill.
Tensor stack_states(const std::vector<Tensor>& states, Index width, const Indices& lengths) {
  const Index B = states.front().dim(0), T = static_cast<Index>(states.size());
  Tensor all({B, T, width});
  Real* to = all.mutable_data();
  for (Index b = 0; b < B; ++b) {
    for (Index t = 0; t < T; ++t, to += width) {
      const Tensor& state = states[static_cast<std::size_t>(t)];
      const Real* from = state.data() + b * state.dim(1);
      if (lengths.size() > 0 && t >= lengths[b])
        std::fill(to, to + width, Real(0));
      else
        std::copy(from, from + width, to);
    }
  }
  return all;
}

}  // namespace gradual
