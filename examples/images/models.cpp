#include "models.hpp"

#include <string>

#include <gradual/nn/vision/patches.hpp>

using namespace gradual;

namespace {

constexpr Index digits = 10;

TransformerConfig configuration(const ModelSizes& sizes) {
  TransformerConfig config;
  config.width = sizes.width;
  config.heads = sizes.heads;
  config.feed_forward = 2 * sizes.width;
  config.encoder_layers = sizes.layers;
  config.dropout = 0;
  config.positions = PositionKind::learned;
  return config;
}

}  // namespace

WithAttention::WithAttention(const ModelSizes& sizes, Random random)
    : encoder_(sizes.image, configuration(sizes), random), output_(sizes.width, digits, random) {}

void WithAttention::visit(Visitor& visitor) {
  visitor("encoder", encoder_);
  visitor("output", output_);
}

WithoutAttention::WithoutAttention(const ModelSizes& sizes, Random random)
    : image_(sizes.image),
      projection_(sizes.image.channels * sizes.image.patch * sizes.image.patch, sizes.width, random),
      positions_(PositionKind::learned, sizes.image.patches(), sizes.width, random),
      norm_(sizes.width),
      together_(2 * sizes.width, sizes.width, Activation::relu, 0, random),
      output_(2 * sizes.width, digits, random) {
  // An attention layer has 4·D² weights beside its network of 2·D·2D; a network of 2·D·4D has as many.
  for (Index i = 0; i < sizes.layers; ++i)
    layers_.push_back({FeedForward(sizes.width, 4 * sizes.width, Activation::relu, 0, random),
                       Residual(sizes.width, 0, NormPlace::before, random)});
}

void WithoutAttention::Layer::visit(Visitor& visitor) {
  visitor("network", network);
  visitor("around", around);
}

void WithoutAttention::visit(Visitor& visitor) {
  visitor("projection", projection_);
  visitor("positions", positions_);
  visitor("layers", layers_);
  visitor("norm", norm_);
  visitor("together", together_);
  visitor("output", output_);
}

Var WithoutAttention::operator()(const Var& images) const {
  Var x = projection_(patches(images, image_.patch)) + positions_(0, image_.patches());
  for (const Layer& layer : layers_) x = layer.around(x, layer.network);
  x = norm_(x);
  // The mean of all patches beside each: [B, N, 2·D].
  const Var everywhere = mean(x, {1}, Axis::kept) + Tensor::zeros({1, x.dim(1), 1});
  return output_(together_(concat({x, everywhere}, 2)));
}
