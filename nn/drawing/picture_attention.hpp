// What a cell of a picture attends to.
#pragma once

#include <string>
#include <vector>

#include <gradual/core/tensor.hpp>

namespace gradual {

/// A square grey picture as an SVG, each of its cells tinted by the weight that it is given, behind its
/// pixels; the cell that looks, `from`, has a frame in another colour, and there is none where that is -1;
/// below it stands `title`, where there is one. `cells` is [C², P²]: a row for each cell of P × P pixels, row
/// by row, 0 black and 1 white. Resting on a cell shows its weight. Throws std::invalid_argument unless both
/// sizes are squares and there is a weight for each cell.
std::string draw_picture_attention(const Tensor& cells, const std::vector<double>& weights, Index from,
                                   const std::string& title);

}  // namespace gradual
