// What a beam search explored, as a picture.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include <gradual/nn/decoding/beam_tree.hpp>

namespace gradual {

/// The tree as an SVG: a column for each step, in it the candidates, the likeliest on top, each with its word
/// and log P of all words up to it. Words that were dropped are faint, ended hypotheses are round, what was
/// returned has its rank in it, what was kept when the search ended is as faint as what was dropped, and the
/// path to the first of these is filled. Resting on a word shows the whole beginning. `words` has one for
/// each node of the tree. Of a longer search the first `most_steps` steps are drawn. Throws
/// std::invalid_argument if there is not a word for each node, or the tree is empty, or a node's parent does
/// not stand before it, or a result is no node, or most_steps < 1.
std::string draw_search_tree(const BeamTree& tree, const std::vector<std::string>& words,
                             Index most_steps = std::numeric_limits<Index>::max());

}  // namespace gradual
