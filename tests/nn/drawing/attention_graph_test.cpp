#include <gradual/nn/drawing/attention_graph.hpp>

#include <cstdio>
#include <stdexcept>

#include "support/catch.hpp"
#include "support/xml.hpp"

using namespace gradual;

namespace {

const AttentionMap kCross{{"le", "chien"}, {"the", "dog", "."}, {0.9f, 0.1f, 0, 0.2f, 0.795f, 0.005f}, ""};
const AttentionMap kSelf{
    {"a", "b", "a"}, {"a", "b", "a"}, {0.5f, 0.25f, 0.25f, 0, 1, 0, 0.6f, 0.3f, 0.1f}, "Self"};

std::vector<std::string> edges(const XmlDocument& document) {
  std::vector<std::string> result;
  for (const XmlElement& title : document.all("title")) {
    if (document.parent(title).name == "path") result.push_back(title.text);
  }
  return result;
}

/// The x where a path starts, where it bends to, and where it ends, and the y of both ends.
struct Ends {
  double start, bend, end, y_start, y_end;
};
Ends ends(const XmlElement& path) {
  double x1, y1, bx, by, cx, cy, x2, y2;
  const int read = std::sscanf(path["d"].c_str(), "M%lf %lfC%lf %lf %lf %lf %lf %lf", &x1, &y1, &bx, &by, &cx,
                               &cy, &x2, &y2);
  REQUIRE(read == 8);
  return {x1, bx, x2, y1, y2};
}

}  // namespace

TEST_CASE("attention graph: an edge for each weight of at least 0.01, with its value") {
  CHECK(
      edges(XmlDocument(draw_attention_graph(kCross))) ==
      std::vector<std::string>{"le → the: 0.90", "le → dog: 0.10", "chien → the: 0.20", "chien → dog: 0.80"});
}

TEST_CASE("attention graph: a heavier edge is thicker and more opaque") {
  const auto paths = XmlDocument(draw_attention_graph(kCross)).all("path");
  CHECK(paths.at(0).number("stroke-width") > paths.at(2).number("stroke-width"));
  CHECK(paths.at(0).number("stroke-opacity") > paths.at(2).number("stroke-opacity"));
  CHECK(paths.at(2).number("stroke-opacity") > paths.at(1).number("stroke-opacity"));
}

TEST_CASE("attention graph: its label ends with its title, if it has one") {
  const auto label = [](const std::string& title) {
    return XmlDocument(draw_attention_graph({{"q"}, {"k"}, {1.0f}, title}))
        .all("svg")
        .at(0)
        .attributes.at("aria-label");
  };
  CHECK(label("") == "Attention as a graph");
  CHECK(label("layer 1") == "Attention as a graph: layer 1");
}

TEST_CASE("attention graph: different queries and keys are two columns, each token once") {
  const XmlDocument document(draw_attention_graph(kCross));
  CHECK(document.all("text", "soft").size() >= 1);  // what the sides are
  CHECK(document.all("text").size() - document.all("text", "soft").size() == 5);
  for (const XmlElement& path : document.all("path")) {
    const Ends at = ends(path);
    CHECK(at.start < at.end);
    CHECK(at.bend == Approx((at.start + at.end) / 2).margin(0.11));  // both halves are alike
  }
}

TEST_CASE("attention graph: the shorter column stands at the middle of the longer one") {
  const auto paths =
      XmlDocument(draw_attention_graph({{"q"}, {"a", "b", "c"}, {0.2f, 0.3f, 0.5f}, ""})).all("path");
  REQUIRE(paths.size() == 3);
  CHECK(ends(paths[1]).y_start == ends(paths[1]).y_end);
  CHECK(ends(paths[0]).y_start == ends(paths[1]).y_end);
  const auto turned = XmlDocument(draw_attention_graph({{"p", "q", "r"}, {"a"}, {1, 1, 1}, ""})).all("path");
  CHECK(ends(turned.at(1)).y_start == ends(turned.at(0)).y_end);
}

TEST_CASE(
    "attention graph: the same tokens are one line: earlier ones on the left, later ones on the right") {
  const XmlDocument document(draw_attention_graph(kSelf));
  CHECK(document.all("text").size() - document.all("text", "soft").size() == 3 + 1);  // and the title
  const auto paths = document.all("path");
  CHECK(edges(document) ==
        std::vector<std::string>{"a → b: 0.25", "a → a: 0.25", "a → a: 0.60", "a → b: 0.30"});
  REQUIRE(paths.size() == 4);
  for (const std::size_t later : {0, 1}) CHECK(ends(paths[later]).bend > ends(paths[later]).start);
  for (const std::size_t earlier : {2, 3}) CHECK(ends(paths[earlier]).bend < ends(paths[earlier]).start);
}

TEST_CASE("attention graph: under a causal mask there is no side for later tokens, and the key names none") {
  AttentionMap causal = kSelf;
  causal.weights = {1, 0, 0, 0.5f, 0.5f, 0, 0.6f, 0.3f, 0.1f};
  const auto key = [](const AttentionMap& map) {
    std::string key;
    for (const XmlElement& line : XmlDocument(draw_attention_graph(map)).all("text", "soft"))
      key += line.text + " ";
    return key;
  };
  CHECK(key(causal) == "Arcs look back; the shade of a token: at itself. ");
  CHECK(key(kSelf) == "Arcs on the left look back, on the right ahead; the shade of a token: at itself. ");
  AttentionMap others = causal;
  for (const std::size_t self : {0, 4, 8}) others.weights[self] = 0;
  CHECK(key(others) == "Arcs look back. ");
  const auto width = [](const AttentionMap& map) {
    return XmlDocument(draw_attention_graph(map)).all("svg").at(0).number("width");
  };
  CHECK(width(causal) < width(kSelf));
}

TEST_CASE("attention graph: what a token gives to itself is the shade behind it") {
  const auto shades = XmlDocument(draw_attention_graph(kSelf)).all("rect", "self");
  REQUIRE(shades.size() == 3);
  CHECK(shades[1].number("fill-opacity") > shades[0].number("fill-opacity"));
  CHECK(shades[0].number("fill-opacity") > shades[2].number("fill-opacity"));
}

TEST_CASE("attention graph: sizes that do not fit are named") {
  CHECK_THROWS_WITH(draw_attention_graph({{"q"}, {"k"}, {}, ""}),
                    "draw_attention_graph: there must be one weight for each query and key: 1 queries times "
                    "1 keys is 1, got 0 weights");
}

TEST_CASE("attention graph: each token that looks is a group with its own edges, none within another one") {
  for (const AttentionMap& map : {kCross, kSelf}) {
    const XmlDocument document(draw_attention_graph(map));
    const std::vector<XmlElement> tokens = document.all("g", "query");
    REQUIRE(tokens.size() == map.queries.size());
    for (const XmlElement& token : tokens) CHECK(token.parent == tokens[0].parent);
    CHECK(document.inside("query", "g").size() == tokens.size());
    CHECK(document.inside("edges", "path").size() == document.all("path").size());
  }
}
