// The shapes of a computation in letters, layer by layer.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <gradual/nn/diagnosis/trace.hpp>

namespace gradual {

/// What sizes are called: {{"B", 3}, {"T", 7}, {"D", 32}}.
using SizeLetters = std::vector<std::pair<std::string, Index>>;

/// A shape in letters, such as `[B, T, 3·D]`. A size is a letter, else the product of two, else one of them
/// up to eight times; where two of a kind fit, or nothing does, it stays a number. Throws
/// std::invalid_argument for letters of one size, and of sizes below 2: from those it could not be told which
/// is which.
std::string shape_in_letters(const Shape& shape, const SizeLetters& letters);

/// Some operations of a trace that happen in one layer.
struct TracedLayer {
  std::string
      name;  ///< by its parameters, such as "encoder.0.feed_forward.inner"; empty: there were none yet
  /// An operation, with its shapes.
  struct Line {
    std::string operation, inputs, result;  ///< shapes in letters; inputs are those that are defined
  };
  std::vector<Line> lines;
};

/// What happens `times` times in a row, as in a loop.
struct TracedBlock {
  Index times;
  std::vector<TracedLayer> layers;  ///< in the order in which they ran
};

/// A trace layer by layer: an operation without parameters belongs to the layer of the one before it.
std::vector<TracedBlock> shape_trace(const TracedOperations& operations, const SizeLetters& letters);

/// The same as text, a line for each operation: `  linear  [B, T, D], [F, D], [F] → [B, T, F]`.
std::string shape_text(const std::vector<TracedBlock>& trace);
/// The same as a picture, an SVG: a box for each layer, from above.
std::string draw_shapes(const std::vector<TracedBlock>& trace);

}  // namespace gradual
