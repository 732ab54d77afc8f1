// Recorded attention as pictures: values by hand, and a real model's from one call.
#include <gradual/nn/inspect/attention_pictures.hpp>

#include <gradual/nn/transformer/classifier.hpp>

#include "support/catch.hpp"
#include "support/xml.hpp"

using namespace gradual;

namespace {

const std::vector<std::string> tokens{"red", "cars"};

// What is shown when the pointer rests on the cells of a map.
std::vector<std::string> cells(const std::string& svg) {
  const XmlDocument document(svg);
  std::vector<std::string> result;
  for (const XmlElement& title : document.all("title")) {
    const XmlElement& shape = document.parent(title);
    if (document.parent(shape).has_class("cells")) result.push_back(title.text);
  }
  return result;
}

// Two sentences, the second of one word and padding; two heads.
const RecordedAttention first{"layers.0",
                              Tensor({2, 2, 2, 2}, {1, 0, 0.5, 0.5, 0.5, 0.5, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0})};
const RecordedAttention second{"layers.1", Tensor({2, 1, 2, 2}, {0, 1, 1, 0, 1, 0, 0, 0})};

}  // namespace

TEST_CASE("attention pictures: a map for each head of the chosen sentence, without its padding") {
  const auto maps = attention_maps(first.weights, tokens, tokens);
  REQUIRE(maps.size() == 2);
  CHECK(maps[0].weights == std::vector<float>{1, 0, 0.5f, 0.5f});
  CHECK(maps[1].weights == std::vector<float>{0.5f, 0.5f, 0, 1});
  CHECK(maps[1].title == "head 2");
  CHECK(mean_attention_map(first.weights, tokens, tokens).weights ==
        std::vector<float>{0.75f, 0.25f, 0.25f, 0.75f});
  CHECK(attention_maps(first.weights, {"cars"}, {"cars"}, 1)[0].weights == std::vector<float>{1});
}

TEST_CASE("attention pictures: one call draws every head, each layer as a graph, and the rollout") {
  const AttentionPictures pictures = draw_attention({first, first}, tokens);
  CHECK(cells(pictures.maps).size() == 2 * 2 * 4);  // layers · heads · pairs
  REQUIRE(pictures.graphs.size() == 2);
  const auto edges = XmlDocument(pictures.graphs[0]).all("path");
  REQUIRE(edges.size() == 2);  // each word to the other; what a word gives to itself is a shade
  CHECK(edges[0].number("stroke-width") == edges[1].number("stroke-width"));
  // Both layers are (7/8 1/8; 1/8 7/8) with their residuals; the product has 50/64 = 0.78 on its diagonal.
  CHECK(cells(pictures.rollout) == std::vector<std::string>{"red → red: 0.78", "red → cars: 0.22",
                                                            "cars → red: 0.22", "cars → cars: 0.78"});
}

TEST_CASE("attention pictures: attention to another sequence has no rollout") {
  const RecordedAttention cross{"decoder.0.cross_attention", Tensor({1, 1, 1, 2}, {0.25, 0.75})};
  const AttentionPictures pictures = draw_attention({cross}, {"voitures"}, tokens);
  CHECK(cells(pictures.maps) == std::vector<std::string>{"voitures → red: 0.25", "voitures → cars: 0.75"});
  CHECK(XmlDocument(pictures.graphs.at(0)).all("path").size() == 2);
  CHECK(pictures.rollout.empty());
}

TEST_CASE("attention pictures: a model's layers are drawn without a change to the model") {
  StackConfig config;
  config.vocabulary = 9;
  config.width = 8;
  config.heads = 2;
  const Classifier classifier(config, 2, Pooling::mean, Random(1));
  const NoGrad no_grad;
  AttentionRecorder recorder;
  classifier.logits(Indices({1, 3}, {4, 5, 6}), Indices({1}, {3}));
  const AttentionPictures pictures = draw_attention(recorder.recorded(), {"a", "b", "c"});
  CHECK(cells(pictures.maps).size() == 2 * 2 * 9);
  CHECK(pictures.graphs.size() == 2);
  CHECK(cells(pictures.rollout).size() == 9);
}

TEST_CASE("attention pictures: weights and tokens that do not fit are named") {
  CHECK_THROWS_WITH(draw_attention({}, tokens), "draw_attention: there must be a layer: got none");
  CHECK_THROWS_WITH(draw_attention({first}, {"a", "b", "c"}),
                    "attention maps: weights must be [B, H, T, S] with a place for each token: weights are "
                    "[2, 2, 2, 2], sentence is 0, there are 3 queries and 3 keys");
  CHECK_THROWS_AS(attention_maps(first.weights, tokens, tokens, 2), std::invalid_argument);
  CHECK_THROWS_WITH(draw_attention({first, second}, tokens),
                    "draw_attention_grid: all layers must have as many heads: layer 1 has 2, layer 2 has 1");
}
