// Who looks at whom in a graph of groups.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <gradual/core/layers/edges.hpp>

namespace gradual {

/// The nodes of a graph as an SVG, those of a group together, the groups on a circle and in its middle what
/// belongs to none, whose group is -1; and the edges into the nodes `shown`, each as thick as its weight of
/// `weights` [N, N] (row: who looks) and in the colour of whom it comes from. Resting on a node shows its
/// name. Throws std::invalid_argument unless each node has a group, a name, and a row and a column of
/// weights.
std::string draw_group_graph(const EdgeList& edges, const std::vector<std::int32_t>& groups,
                             const std::vector<std::string>& names, const Tensor& weights,
                             const std::vector<Index>& shown, const std::string& title);

}  // namespace gradual
