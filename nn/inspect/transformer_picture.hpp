// A transformer as a diagram of its parts.
#pragma once

#include <string>

#include <gradual/nn/transformer/config.hpp>

namespace gradual {

/// The encoder–decoder that a configuration describes, as an SVG: the encoder on the left, the decoder on the
/// right, both read from below, with the sizes of all parts. Its three attentions stand out. Throws
/// std::invalid_argument for a bad configuration.
std::string draw_transformer(const TransformerConfig& config);

}  // namespace gradual
