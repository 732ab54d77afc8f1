// Who looks at whom in a graph of communities.
#pragma once

#include <string>
#include <vector>

#include <gradual/nn/data/labelled_graph.hpp>

// An SVG of the people, each community together, with the advertisers in the middle, and of the edges into
// the nodes `shown`, each as thick as its weight of `weights` [N, N].
std::string draw_attention_in_graph(const gradual::LabelledGraph& graph, const gradual::Tensor& weights,
                                    const std::vector<gradual::Index>& shown, const std::string& title);
