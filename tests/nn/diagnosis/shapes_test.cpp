#include <gradual/nn/diagnosis/shapes.hpp>

#include <gradual/nn/recurrent/layer.hpp>
#include <gradual/nn/transformer/layers.hpp>

#include "support/catch.hpp"
#include "support/xml.hpp"

using namespace gradual;

TEST_CASE("shapes: sizes are letters, products of two or a few times one, else numbers") {
  const SizeLetters letters{{"B", 5}, {"T", 7}, {"D", 32}};
  CHECK(shape_in_letters({5, 7, 32}, letters) == "[B, T, D]");
  CHECK(shape_in_letters({35, 96, 3}, letters) == "[B·T, 3·D, 3]");
  CHECK(shape_in_letters({}, letters) == "[]");
  CHECK(shape_in_letters({25, 1, 0, 320}, letters) == "[B·B, 1, 0, 320]");
  // Where two products fit, the number stays.
  CHECK(shape_in_letters({24, 48}, {{"A", 6}, {"B", 4}, {"C", 8}, {"D", 3}}) == "[24, A·C]");
  CHECK_THROWS_WITH(shape_in_letters({2}, {{"B", 5}, {"T", 5}}),
                    "shapes: letters must stand for different sizes: B and T are 5");
  CHECK_THROWS_WITH(shape_in_letters({2}, {{"B", 1}}),
                    "shapes: a letter must stand for a size of 2 or more: B is 1");
}

TEST_CASE("shapes: a layer of a transformer reads like its equations") {
  LayerConfig config;
  config.width = 12;
  config.heads = 3;
  config.feed_forward = 17;
  EncoderLayer layer(config, Random(1), "encoder");
  parameters(layer);
  set_training(layer, false);
  Trace trace;
  layer(Tensor::ones({5, 7, 12}), {});
  const auto blocks = shape_trace(trace.operations(), {{"B", 5}, {"T", 7}, {"D", 12}, {"F", 17}});
  CHECK(shape_text(blocks) == R"(around_attention.norm
  layer_norm   [B, T, D], [D], [D] → [B, T, D]
self_attention
  linear       [B, T, D], [3·D, D], [3·D] → [B, T, 3·D]
  attention    [B, T, 3·D], [B, T, 3·D], [B, T, 3·D] → [B, T, D]
self_attention.output
  linear       [B, T, D], [D, D], [D] → [B, T, D]
  add_dropped  [B, T, D], [B, T, D] → [B, T, D]
around_feed_forward.norm
  layer_norm   [B, T, D], [D], [D] → [B, T, D]
feed_forward.inner
  linear       [B, T, D], [F, D], [F] → [B, T, F]
  relu         [B, T, F] → [B, T, F]
feed_forward.outer
  linear       [B, T, F], [D, F], [D] → [B, T, D]
  add_dropped  [B, T, D], [B, T, D] → [B, T, D]
)");
  const std::string picture = draw_shapes(blocks);
  CHECK_THAT(picture, Contains("self_attention.output"));
  CHECK_THAT(picture, Contains("[B, T, F]"));
  CHECK_NOTHROW(XmlDocument(picture));
}

TEST_CASE("shapes: what a loop repeats is written once") {
  RecurrentLayer layer(CellKind::gru, 4, 6, Direction::forward, Random(1));
  parameters(layer);
  Trace trace;
  layer(Tensor::ones({5, 7, 4}));
  const auto blocks = shape_trace(trace.operations(), {{"B", 5}, {"T", 7}, {"H", 6}, {"E", 4}});
  const std::string text = shape_text(blocks);
  INFO(text);
  Index repeated = 0, lines = 0;
  for (const TracedBlock& block : blocks) {
    repeated = std::max(repeated, block.times);
    for (const TracedLayer& each : block.layers) lines += static_cast<Index>(each.lines.size());
  }
  CHECK(repeated >= 6);
  CHECK(lines < 10);
  CHECK_THAT(text, Contains("7 times\n") && Contains("stack_states  7 times [B, H] → [B, T, H]"));
}
