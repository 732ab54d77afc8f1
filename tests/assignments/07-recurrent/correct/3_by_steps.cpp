#include <gradual/core/layers/recurrent.hpp>

namespace gradual {

// Step after step, with the library's own test of whether a sentence is there.
Tensor stack_states(const std::vector<Tensor>& states, Index width, const Indices& lengths) {
  const Index T = static_cast<Index>(states.size()), B = states[0].dim(0);
  Tensor all = Tensor::zeros({B, T, width});
  for (RecurrentStep step{0, lengths}; step.number < T; ++step.number)
    for (Index b = 0; b < B; ++b)
      for (Index i = 0; i < width && step.reaches(b); ++i)
        all.mutable_data()[b * T * width + step.number * width + i] =
            states[static_cast<std::size_t>(step.number)]({b, i});
  return all;
}

}  // namespace gradual
