// The names that Hugging Face's settings have for activations.
#pragma once

#include <gradual/nn/interchange/expressible.hpp>

namespace gradual {

/// Our names and theirs. The first of theirs for each of ours is the one that is written.
inline const NamePairs& activation_names() {
  static const NamePairs names{{"relu", "relu"},          {"gelu", "gelu"},
                               {"gelu_tanh", "gelu_new"}, {"gelu_tanh", "gelu_pytorch_tanh"},
                               {"silu", "swish"},         {"silu", "silu"}};
  return names;
}

}  // namespace gradual
