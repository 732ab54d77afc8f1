#include <gradual/nn/diagnosis/shapes.hpp>

#include <cmath>
#include <functional>

#include <gradual/autograd/operations.hpp>
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
  CHECK(shape_in_letters({24, 27, 3, 9, 0, 1}, {{"A", 3}}) == "[8·A, 27, A, A·A, 0, 1]");
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

namespace {

// The operations of a computation on [2, 3], by how often each block of them comes in a row.
std::string blocks_of(const std::function<void(const Var& x)>& compute) {
  Trace trace;
  compute(Tensor::ones({2, 3}));
  std::string result;
  for (const TracedBlock& block : shape_trace(trace.operations(), {{"B", 2}})) {
    result += std::to_string(block.times) + "(";
    for (const TracedLayer& layer : block.layers)
      for (const auto& line : layer.lines) result += " " + line.operation;
    result += " )";
  }
  return result;
}

}  // namespace

TEST_CASE("shapes: of what comes in a row, the block that says most and is shortest") {
  CHECK(blocks_of([](const Var& x) { relu(relu(x)); }) == "2( relu )");
  CHECK(blocks_of([](const Var& x) { relu(relu(relu(relu(x)))); }) == "4( relu )");
  CHECK(blocks_of([](const Var& x) { tanh(relu(x)); }) == "1( relu tanh )");
  CHECK(blocks_of([](const Var& x) { tanh(relu(tanh(relu(x)))); }) == "2( relu tanh )");
  CHECK(blocks_of([](const Var& x) { exp(tanh(relu(exp(tanh(relu(x)))))); }) == "2( relu tanh exp )");
  CHECK(blocks_of([](const Var& x) { exp(tanh(relu(relu(exp(x))))); }) == "1( exp )2( relu )1( tanh exp )");
  CHECK(blocks_of([](const Var& x) { tanh(relu(relu(tanh(relu(relu(x)))))); }) == "2( relu relu tanh )");
  CHECK(blocks_of([](const Var&) {}).empty());
  CHECK_THROWS_AS(shape_trace({}, {{"B", 1}}), std::invalid_argument);
}

TEST_CASE("shapes: boxes of a picture lie one below the other, each line in its own") {
  const TracedLayer::Line line{"relu", "[B]", "[D]"};
  const std::vector<TracedBlock> blocks{{1, {{"a", {line, line}}, {"", {line}}}}, {3, {{"b", {line}}}}};
  const XmlDocument picture(draw_shapes(blocks));
  // A box has 17 for its name and each line and 6 more, and 14 lie between two.
  CHECK(picture.all("svg")[0].number("height") == 14 + (57 + 14) + (40 + 14) + 17 + (40 + 14));
  auto boxes = picture.all("rect");
  REQUIRE(boxes.size() == 4);
  boxes.erase(boxes.begin());  // the paper
  const double x[] = {12, 12, 24}, y[] = {7, 78, 149}, tall[] = {57, 40, 40};
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(boxes[i].number("x") == x[i]);
    CHECK(boxes[i].number("y") == y[i]);
    CHECK(boxes[i].number("height") == tall[i]);
    CHECK(boxes[i].number("width") == 640 - 12 - x[i]);
  }
  std::string words;
  for (const auto& each : picture.all("text"))
    words += each.text.substr(0, each.text.find("[B][B]")) + " " +
             std::to_string(std::lround(each.number("x"))) + "," +
             std::to_string(std::lround(each.number("y"))) + "; ";
  for (const char* part :
       {"a 22,22; relu 22,39; ", "[D] 618,39; relu 22,56; ", "before all layers 22,93; relu 22,110; ",
        "3 times 12,144; b 34,164; relu 34,181; ", "[D] 618,181; "})
    CHECK_THAT(words, Contains(part));
  CHECK_THAT(words, Contains(" 320,39; ") && Contains(" 320,181; "));
  CHECK(shape_text(blocks) ==
        "a\n  relu  [B] → [D]\n  relu  [B] → [D]\n  relu  [B] → [D]\n3 times\n  b\n    relu  [B] → [D]\n");
}
