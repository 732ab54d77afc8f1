#include "model.hpp"

#include <algorithm>

#include <gradual/autograd/operations.hpp>
#include <gradual/core/error.hpp>
#include <gradual/nn/positions/vectors.hpp>

using namespace gradual;

namespace {

constexpr Index cells = ArrowPictures::cells;

LayerConfig layer_config(Index width, Index heads) {
  LayerConfig config;
  config.width = width;
  config.heads = heads;
  config.feed_forward = 2 * width;
  config.dropout = 0;
  config.positions = "relative";  // of cells in reading order: +1 is right, +5 is below
  config.max_length = cells * cells;
  return config;
}

// The sinusoids of a cell's row in the first half of the width, those of its column in the second.
Tensor places_of_cells(Index width) {
  if (width % 2 != 0)
    throw std::invalid_argument(text(
        "picture model: the width must be even, half for a cell's row and half for its column: got ", width));
  const Tensor table = sinusoidal_positions(cells, width / 2);
  Tensor places({cells * cells, width});
  for (Index row = 0; row < cells; ++row) {
    for (Index column = 0; column < cells; ++column) {
      Real* place = places.unguarded_data() + (row * cells + column) * width;
      std::copy_n(table.data() + row * (width / 2), width / 2, place);
      std::copy_n(table.data() + column * (width / 2), width / 2, place + width / 2);
    }
  }
  return places;
}

}  // namespace

PictureModel::PictureModel(Index width, Index heads, Index rounds, Among among, Random random)
    : patches_(ArrowPictures::cell_pixels * ArrowPictures::cell_pixels, width, random),
      places_(places_of_cells(width)),
      norm_(width),
      pool_(make_score("scaled_dot", {width, width}, random), width, random, "pool"),
      output_(width, ArrowPictures::shapes, random) {
  for (Index round = 1; round <= rounds; ++round) {
    if (among == Among::attention)
      attending_.emplace_back(layer_config(width, heads), random, "round " + std::to_string(round));
    else
      alone_.emplace_back(width, 4 * width, Activation::gelu, 0, random);  // as many weights
  }
}

void PictureModel::visit(Visitor& visitor) {
  visitor("patches", patches_);
  visitor("attending", attending_);
  visitor("alone", alone_);
  visitor("norm", norm_);
  visitor("pool", pool_);
  visitor("output", output_);
}

Var PictureModel::operator()(const Var& pictures) const {
  Var items = patches_(pictures) + places_;  // [B, cells², D]
  for (const EncoderLayer& round : attending_) items = round(items, {});
  for (const FeedForward& layer : alone_) items = items + layer(items);
  return output_(pool_(norm_(items)));
}
