// What a cell of a picture, and a node of a graph, looks at.
#include <cmath>
#include <regex>

#include <gradual/nn/drawing/group_graph.hpp>
#include <gradual/nn/drawing/picture_attention.hpp>

#include "support/catch.hpp"
#include "support/xml.hpp"

using namespace gradual;

namespace {

std::size_t count_of(const std::string& content, const std::string& piece) {
  std::size_t count = 0;
  for (std::size_t at = content.find(piece); at != std::string::npos; at = content.find(piece, at + 1))
    ++count;
  return count;
}

}  // namespace

TEST_CASE(
    "picture attention: a square for each pixel, a tint for each cell, a frame around the one that looks") {
  const std::string svg =
      draw_picture_attention(Tensor({4, 1}, {0, 1, 0.5, 2}), {0, 0.25, 0.75, 0}, 2, "ring <3");
  CHECK(count_of(svg, "fill-opacity=") == 4 + 4);
  CHECK(count_of(svg, "stroke-width=\"2\"") == 1);
  CHECK(svg.find("<title>0.75</title>") != std::string::npos);
  CHECK(svg.find("ring &lt;3") != std::string::npos);
}

TEST_CASE("picture attention: pixels stand as they are read, and the brighter, the stronger") {
  const XmlDocument svg(draw_picture_attention(Tensor({1, 4}, {0, 0.25, 0.5, 1}), {0}, -1, ""));
  std::vector<XmlElement> squares;
  for (const XmlElement& each : svg.all("rect"))
    if (!each["fill-opacity"].empty() && each["fill"].empty()) squares.push_back(each);
  const auto number = [&](std::size_t i, const char* name) { return squares.at(i).number(name); };
  for (std::size_t i = 1; i < 4; ++i) CHECK(number(i, "fill-opacity") > number(i - 1, "fill-opacity"));
  CHECK((number(1, "x") > number(0, "x") && number(1, "y") == number(0, "y")));
  CHECK((number(2, "x") == number(0, "x") && number(2, "y") > number(1, "y")));
  CHECK((number(3, "x") == number(1, "x") && number(3, "y") == number(2, "y")));
}

TEST_CASE("picture attention: the tint of a cell lies behind its pixels, and the frame has another colour") {
  const std::string svg = draw_picture_attention(Tensor({4, 1}, {0, 1, 0.5, 2}), {0, 0.25, 0.75, 0}, 2, "");
  std::vector<XmlElement> tints, pixels, frames;
  for (const XmlElement& each : XmlDocument(svg).all("rect")) {
    if (each["class"] == "paper") continue;
    const bool is_tint = each["fill"].rfind('#', 0) == 0;
    (is_tint ? tints : each["fill"] == "none" ? frames : pixels).push_back(each);
    CHECK((!is_tint || pixels.empty()));
  }
  REQUIRE((tints.size() == 4 && pixels.size() == 4 && frames.size() == 1));
  CHECK(frames[0]["stroke"] != tints[0]["fill"]);
  CHECK(frames[0]["class"] == "s0");
}

TEST_CASE("picture attention: each cell has the pixels of its own row of numbers") {
  const XmlDocument svg(draw_picture_attention(
      Tensor({4, 4}, {0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 0.05, 0.15, 0.25, 0.35, 0.45}),
      {0, 0, 0, 0}, -1, ""));
  std::vector<double> shades;
  for (const XmlElement& each : svg.all("rect"))
    if (each["class"].empty() && !each["fill-opacity"].empty() && each.number("fill-opacity") >= 0.12)
      shades.push_back((each.number("fill-opacity") - 0.12) / 0.75);
  const double expected[] = {0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 0.05, 0.15, 0.25, 0.35, 0.45};
  REQUIRE(shades.size() == 16);
  for (std::size_t i = 0; i < 16; ++i) CHECK(shades[i] == Approx(expected[i]).margin(0.01));
}

TEST_CASE("picture attention: cells stand side by side in rows, one row below the other") {
  const XmlDocument svg(draw_picture_attention(Tensor::zeros({9, 4}), std::vector<double>(9), -1, ""));
  std::vector<XmlElement> cells;
  for (const XmlElement& title : svg.all("title"))
    if (svg.parent(title).name == "rect") cells.push_back(svg.parent(title));
  REQUIRE(cells.size() == 9);
  const auto right = [](const XmlElement& each) { return each.number("x") + each.number("width"); };
  const auto bottom = [](const XmlElement& each) { return each.number("y") + each.number("height"); };
  for (std::size_t i = 0; i < 9; ++i) {
    if (i % 3 > 0) {
      CHECK(cells[i].number("x") == right(cells[i - 1]));
      CHECK(cells[i].number("y") == cells[i - 1].number("y"));
    }
    if (i >= 3) {
      CHECK(cells[i].number("x") == cells[i - 3].number("x"));
      CHECK(cells[i].number("y") == bottom(cells[i - 3]));
    }
  }
  const XmlElement picture = svg.all("svg").at(0);
  CHECK(right(cells[8]) < picture.number("width"));
  CHECK(bottom(cells[8]) < picture.number("height"));
}

TEST_CASE("picture attention: its title stands below it, and takes no room where there is none") {
  const auto drawn = [](const char* title) {
    return XmlDocument(draw_picture_attention(Tensor({4, 1}, {0, 1, 0.5, 2}), {0, 0, 0, 0}, 0, title));
  };
  const XmlDocument with = drawn("ring"), without = drawn("");
  const auto height = [](const XmlDocument& svg) { return std::stod(svg.all("svg").at(0)["height"]); };
  const double title = std::stod(with.all("text").at(0)["y"]);
  CHECK(title > height(without));
  CHECK(title < height(with));
  CHECK(without.all("text").empty());
}

TEST_CASE("picture attention: what is no square, or lacks a weight, is refused") {
  CHECK_THROWS_WITH(
      draw_picture_attention(Tensor::zeros({3, 4}), {0, 0, 0}, 0, ""),
      "draw_picture_attention: cells must be [C², P²], with a weight for each: they are [3, 4], there "
      "are 3 weights");
  CHECK_THROWS_AS(draw_picture_attention(Tensor::zeros({4, 4}), {0, 0, 0}, 0, ""), std::invalid_argument);
  CHECK_THROWS_AS(draw_picture_attention(Tensor::zeros({4}), {0, 0, 0, 0}, 0, ""), std::invalid_argument);
}

TEST_CASE("group graph: a dot for each node, a larger one and edges for those that are shown") {
  // Node 0 looks at 1 with 0.9 and, too little to be drawn, at 2; edges into the others are not asked for.
  const EdgeList edges(3, Indices({3}, {1, 2, 0}), Indices({3}, {0, 0, 1}));
  const Tensor weights({3, 3}, {0, 0.9, 0.001, 1, 0, 0, 0, 0, 0});
  const std::string svg = draw_group_graph(edges, {0, 1, -1}, {"Ann", "Bob", "an & ad"}, weights, {0}, "who");
  CHECK(count_of(svg, "<circle") == 3 + 1);
  CHECK(count_of(svg, "<line") == 1);
  CHECK(svg.find("<title>1 → 0: 0.900</title>") != std::string::npos);
  CHECK(count_of(svg, "<title>an &amp; ad</title>") == 1);
  CHECK(std::regex_search(svg, std::regex("<line class=\"s1\"")));
}

TEST_CASE("group graph: each node must have a group, a name and weights, and only nodes can be shown") {
  const EdgeList edges(2, Indices({1}, {1}), Indices({1}, {0}));
  const Tensor weights = Tensor::zeros({2, 2});
  CHECK_THROWS_WITH(
      draw_group_graph(edges, {0}, {"a", "b"}, weights, {}, ""),
      "draw_group_graph: each node must have a group, a name and weights: nodes are 2, groups 1, names "
      "2, weights [2, 2]");
  CHECK_THROWS_AS(draw_group_graph(edges, {0, 0}, {"a"}, weights, {}, ""), std::invalid_argument);
  CHECK_THROWS_AS(draw_group_graph(edges, {0, 0}, {"a", "b"}, Tensor::zeros({2, 1}), {}, ""),
                  std::invalid_argument);
  CHECK_THROWS_WITH(draw_group_graph(edges, {0, 0}, {"a", "b"}, weights, {2}, ""),
                    "draw_group_graph: only nodes can be shown: got 2 of 2");
}

TEST_CASE("group graph: groups stand apart, in equal parts of a circle, and what has none in its middle") {
  const std::vector<std::int32_t> groups{0, 0, 1, 1, 2, 2, -1, -1};
  const EdgeList edges(8, Indices({1}, {1}), Indices({1}, {0}));
  const XmlDocument svg(draw_group_graph(edges, groups, {"a", "b", "c", "d", "e", "f", "g", "h"},
                                         Tensor::zeros({8, 8}), {}, ""));
  const std::vector<XmlElement> dots = svg.all("circle");
  REQUIRE(dots.size() == 8);
  const auto distance = [&](std::size_t i, std::size_t j) {
    return std::hypot(dots[i].number("cx") - dots[j].number("cx"),
                      dots[i].number("cy") - dots[j].number("cy"));
  };
  for (std::size_t i = 0; i < 8; i += 2) CHECK(distance(i, i + 1) < 20);
  CHECK(distance(0, 2) == Approx(distance(2, 4)).margin(0.1));
  CHECK(distance(0, 2) == Approx(distance(4, 0)).margin(0.1));
  CHECK(distance(0, 2) == Approx(std::sqrt(3) * distance(0, 6)).margin(0.1));  // thirds of a circle
  const std::string without_groups =
      draw_group_graph(edges, std::vector<std::int32_t>(8, -1), {"a", "b", "c", "d", "e", "f", "g", "h"},
                       Tensor::zeros({8, 8}), {}, "");
  CHECK(without_groups.find("nan") == std::string::npos);
  for (std::size_t i = 0; i < 6; i += 2) {
    CHECK(distance(i, 6) == Approx(distance(0, 6)).margin(0.1));
    CHECK(distance(i, 6) > 50);
  }
}
