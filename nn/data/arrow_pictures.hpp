// Pictures with an arrow among other shapes, and the question what it points at.
#pragma once

#include <string>

#include <gradual/core/indices.hpp>
#include <gradual/core/random.hpp>
#include <gradual/core/tensor.hpp>

namespace gradual {

/// Gray pictures of `cells` × `cells` cells, each of 5 × 5 pixels.
///
/// One cell holds an arrow, and the cell before its tip one of five shapes: a cross, a ring, a square, a
/// triangle or a bar. Other cells hold shapes at random, so that neither a shape
/// by itself nor how many of each there are gives the answer away: what counts is where they are.
struct ArrowPictures {
  static constexpr Index cells = 5, cell_pixels = 5, shapes = 5;

  Tensor
      pixels;  // [B, cells², cell_pixels²]: a row for each cell, row by row; 0 is black, 1 white, with noise
  Indices answers;          // [B] the shape that the arrow points at
  Indices arrows, targets;  // [B] the cells of both
};

/// Draws pictures with noise of this deviation on each pixel. Throws std::invalid_argument unless `count` is
/// positive and the noise is not negative.
ArrowPictures draw_arrow_pictures(Index count, double noise, Random random);

/// "cross", "ring", "square", "triangle" or "bar".
std::string name_of_shape(Index shape);

}  // namespace gradual
