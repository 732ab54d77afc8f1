// Attention weights as a weighted graph over tokens.
#pragma once

#include <string>

#include <gradual/nn/drawing/attention_map.hpp>

namespace gradual {

/// The map as an SVG of nodes and edges; an edge is as thick and as opaque as its weight, weights below 0.01
/// have none.
///
/// When queries and keys are the same tokens, each is one node of a line. Edges on the left go up, to earlier
/// tokens, edges on the right go down, to later ones (where there are none, as under a causal mask, that side
/// is left out), and the shade behind a token is what it gives to itself. Otherwise queries and keys are two
/// columns. A line below says so. Resting on a query shows its edges alone, resting on
/// an edge shows `query → key: 0.83`. Throws std::invalid_argument like draw_attention_map.
std::string draw_attention_graph(const AttentionMap& map);

}  // namespace gradual
