#include <gradual/core/layers/recurrent.hpp>

namespace gradual {

// Every number of the result asks where it comes from.
Tensor stack_states(const std::vector<Tensor>& states, Index width, const Indices& lengths) {
  const Index T = static_cast<Index>(states.size()), B = states[0].dim(0);
  Tensor all({B, T, width});
  for (Index at = 0; at < B * T * width; ++at) {
    const Index i = at % width, t = at / width % T, b = at / width / T;
    const bool is_there = lengths.size() == 0 || t < lengths[b];
    all.mutable_data()[at] = is_there ? states[static_cast<std::size_t>(t)]({b, i}) : 0;
  }
  return all;
}

}  // namespace gradual
