#include <gradual/nn/drawing/attention_map.hpp>

#include <cmath>
#include <cstdio>
#include <limits>
#include <set>
#include <stdexcept>

#include "support/catch.hpp"
#include "support/xml.hpp"

using namespace gradual;

namespace {

AttentionMap three_by_two() {
  return {{"un", "chien", "noir"}, {"black", "dog"}, {0, 1, 0.25f, 0.75f, 0.83f, 0.17f}, "Head 1"};
}

std::vector<std::string> texts(const std::vector<XmlElement>& elements) {
  std::vector<std::string> result;
  for (const XmlElement& element : elements) result.push_back(element.text);
  return result;
}

/// What is shown when the pointer rests on an element of a group.
std::vector<std::string> hovers(const XmlDocument& document, const std::string& group) {
  std::vector<std::string> result;
  for (const XmlElement& title : document.all("title")) {
    const XmlElement& shape = document.parent(title);
    if (document.parent(shape).has_class(group)) result.push_back(title.text);
  }
  return result;
}

}  // namespace

TEST_CASE("attention map: one cell for each weight, a row for each query") {
  const XmlDocument document(draw_attention_map(three_by_two()));
  const auto cells = document.inside("cells", "rect");
  REQUIRE(cells.size() == 6);
  CHECK(cells[0].number("y") == cells[1].number("y"));
  CHECK(cells[1].number("x") > cells[0].number("x"));
  CHECK(cells[2].number("x") == cells[0].number("x"));
  CHECK(cells[2].number("y") > cells[0].number("y"));
}

TEST_CASE("attention map: a cell's opacity is its weight") {
  const auto cells = XmlDocument(draw_attention_map(three_by_two())).inside("cells", "rect");
  const double expected[] = {0, 1, 0.25, 0.75, 0.83, 0.17};
  for (std::size_t i = 0; i < 6; ++i) CHECK(cells.at(i).number("fill-opacity") == Approx(expected[i]));
}

TEST_CASE("attention map: a larger weight is never paler") {
  AttentionMap map{{"q"}, {}, {}, ""};
  for (int i = 0; i <= 40; ++i) {
    map.keys.push_back("k");
    map.weights.push_back(static_cast<float>(i - 4) / 32);  // from below 0 to above 1
  }
  const auto cells = XmlDocument(draw_attention_map(map)).inside("cells", "rect");
  for (std::size_t i = 1; i < cells.size(); ++i)
    CHECK(cells[i].number("fill-opacity") >= cells[i - 1].number("fill-opacity"));
  CHECK(cells.front().number("fill-opacity") == 0);
  CHECK(cells.back().number("fill-opacity") == 1);
}

TEST_CASE("attention map: words from right to left do not turn round what resting on a cell shows") {
  CHECK(weight_text({{"כלב"}, {"שחור"}, {0.5f}, ""}, 0, 0) == "\u2068כלב\u2069 → \u2068שחור\u2069: 0.50");
}

TEST_CASE("attention map: resting on a cell shows query, key and weight") {
  const auto shown = hovers(XmlDocument(draw_attention_map(three_by_two())), "cells");
  CHECK(shown == std::vector<std::string>{"un → black: 0.00", "un → dog: 1.00", "chien → black: 0.25",
                                          "chien → dog: 0.75", "noir → black: 0.83", "noir → dog: 0.17"});
}

TEST_CASE("attention map: tokens stand along both sides, in order") {
  const XmlDocument document(draw_attention_map(three_by_two()));
  CHECK(texts(document.inside("queries", "text")) == std::vector<std::string>{"un", "chien", "noir"});
  CHECK(texts(document.inside("keys", "text")) == std::vector<std::string>{"black", "dog"});
  CHECK(texts(document.all("text", "title")) == std::vector<std::string>{"Head 1"});
}

TEST_CASE("attention map: labels and cells lie inside the picture") {
  const XmlDocument document(draw_attention_map(three_by_two()));
  const double width = document.elements[0].number("width");
  const double height = document.elements[0].number("height");
  for (const XmlElement& cell : document.inside("cells", "rect")) {
    CHECK(cell.number("x") + cell.number("width") <= width);
    CHECK(cell.number("y") + cell.number("height") <= height);
  }
  for (const XmlElement& query : document.inside("queries", "text"))
    CHECK(query.number("x") > 5 * 7);  // "chien"
}

TEST_CASE("attention map: long keys are turned, single characters are not") {
  AttentionMap map = three_by_two();
  CHECK(XmlDocument(draw_attention_map(map)).inside("keys", "text").at(0)["transform"].find("rotate") !=
        std::string::npos);
  map.keys = {"a", "\n"};
  const auto keys = XmlDocument(draw_attention_map(map)).inside("keys", "text");
  CHECK(keys.at(0)["transform"].empty());
  CHECK(keys.at(1).text == "↵");
}

TEST_CASE("attention map: a long sentence gets smaller cells") {
  const auto cell_width = [](std::size_t tokens) {
    const AttentionMap map{
        {"q"}, std::vector<std::string>(tokens, "k"), std::vector<float>(tokens, 0.1f), ""};
    return XmlDocument(draw_attention_map(map)).inside("cells", "rect").at(0).number("width");
  };
  CHECK(cell_width(40) < cell_width(8));
}

TEST_CASE("attention map: tokens with markup and broken bytes are shown, not interpreted") {
  AttentionMap map{{"<s>"}, {"a&\"b", "\xff"}, {0.5f, 0.5f}, "<title>"};
  const XmlDocument document(draw_attention_map(map));
  CHECK(texts(document.inside("queries", "text")) == std::vector<std::string>{"<s>"});
  CHECK(texts(document.inside("keys", "text")) == std::vector<std::string>{"a&\"b", "\uFFFD"});
  CHECK(hovers(document, "cells").at(0) == "<s> → a&\"b: 0.50");
}

TEST_CASE("attention map: a weight that is not a number is an empty cell that says so") {
  const AttentionMap map{{"q"}, {"k"}, {std::numeric_limits<float>::quiet_NaN()}, ""};
  const XmlDocument document(draw_attention_map(map));
  CHECK(document.inside("cells", "rect").at(0).number("fill-opacity") == 0);
  CHECK(hovers(document, "cells").at(0) == "q → k: nan");
}

TEST_CASE("attention map: sizes that do not fit are named") {
  AttentionMap map = three_by_two();
  map.weights.pop_back();
  CHECK_THROWS_WITH(draw_attention_map(map),
                    "draw_attention_map: there must be one weight for each query and key: 3 queries times 2 "
                    "keys is 6, got 5 weights");
  map.keys.clear();
  CHECK_THROWS_WITH(draw_attention_map(map),
                    "draw_attention_map: there must be a query and a key: got 3 queries and 0 keys");
  CHECK_THROWS_AS(draw_attention_map({}), std::invalid_argument);
}

TEST_CASE(
    "attention grid: a map for each head of each layer, with their numbers and the tokens at the outer "
    "sides") {
  const AttentionMap map = three_by_two();
  const XmlDocument document(draw_attention_grid({{map, map, map}, {map, map, map}}, "All heads"));
  CHECK(document.all("g", "cells").size() == 6);
  CHECK(document.inside("cells", "rect").size() == 36);
  CHECK(document.all("g", "keys").size() == 3);
  CHECK(document.all("g", "queries").size() == 2);
  CHECK(texts(document.all("text", "soft")) ==
        std::vector<std::string>{"head 1", "head 2", "head 3", "layer 1", "layer 2"});
}

TEST_CASE("attention grid: heads stand side by side and layers below each other, without overlap") {
  const AttentionMap map = three_by_two();
  const XmlDocument document(draw_attention_grid({{map, map}, {map, map}}, ""));
  const auto maps = document.all("rect", "empty");
  REQUIRE(maps.size() == 4);
  CHECK(maps[0].number("y") == maps[1].number("y"));
  CHECK(maps[0].number("x") + maps[0].number("width") < maps[1].number("x"));
  CHECK(maps[0].number("x") == maps[2].number("x"));
  CHECK(maps[0].number("y") + maps[0].number("height") < maps[2].number("y"));
  // The names of heads stand above the middle of theirs, those of layers beside it.
  const auto names = document.all("text", "soft");
  REQUIRE(names.size() == 4);
  for (std::size_t i = 0; i < 2; ++i) {
    const XmlElement &column = maps[i], &row = maps[2 * i];
    CHECK(names[i].number("x") == Approx(column.number("x") + column.number("width") / 2).margin(0.02));
    CHECK(names[i].number("y") < column.number("y"));
    double x, y;
    REQUIRE(std::sscanf(names[2 + i]["transform"].c_str(), "translate(%lf %lf)", &x, &y) == 2);
    CHECK(y == Approx(row.number("y") + row.number("height") / 2).margin(0.02));
    CHECK(x < row.number("x"));
  }
}

TEST_CASE("attention row: each map stands below its title, and a title wider than its map has room") {
  AttentionMap left = three_by_two(), right = three_by_two();
  left.title = "sound";
  right.title = "one whose title is much wider than it is";
  const XmlDocument document(draw_attention_row({left, right}, "Two"));
  CHECK(texts(document.all("text", "soft")) == std::vector<std::string>{left.title, right.title});
  const auto maps = document.all("rect", "empty"), titles = document.all("text", "soft");
  REQUIRE(maps.size() == 2);
  CHECK(maps[0].number("y") == maps[1].number("y"));
  const double room = 11 * 0.5 * static_cast<double>(right.title.size());  // by narrow letters
  CHECK(titles[1].number("x") - titles[0].number("x") > room / 2);
  CHECK(document.all("svg")[0].number("width") > titles[1].number("x") + room / 2);
  CHECK_THROWS_WITH(draw_attention_row({}, ""), "draw_attention_row: there must be a map: got none");
}

TEST_CASE("attention row: cells of few words are more than twice as wide as those of many") {
  const auto cell_width = [](std::size_t words) {
    const std::vector<std::string> names(words, "w");
    const AttentionMap map{names, names, std::vector<Real>(words * words, Real(0.5)), "m"};
    return XmlDocument(draw_attention_row({map, map}, "")).all("rect", "empty")[0].number("width") /
           static_cast<double>(words);
  };
  CHECK(cell_width(8) > 2 * cell_width(9));
  CHECK(cell_width(5) == cell_width(8));
  // One long side is enough to make them small.
  const AttentionMap wide{{"q"}, std::vector<std::string>(20, "w"), std::vector<Real>(20, Real(0.5)), "m"};
  const AttentionMap high{std::vector<std::string>(20, "w"), {"k"}, std::vector<Real>(20, Real(0.5)), "m"};
  CHECK(XmlDocument(draw_attention_row({wide}, "")).all("rect", "empty")[0].number("width") / 20 ==
        cell_width(20));
  CHECK(XmlDocument(draw_attention_row({high}, "")).all("rect", "empty")[0].number("width") ==
        cell_width(20));
}

TEST_CASE("attention grid: maps and layers that do not fit together are named") {
  const AttentionMap map = three_by_two();
  const AttentionMap other{{"q"}, {"k"}, {1}, ""};
  CHECK_THROWS_WITH(draw_attention_grid({}, ""), "draw_attention_grid: there must be a map: got none");
  CHECK_THROWS_WITH(draw_attention_grid({{map, map}, {map}}, ""),
                    "draw_attention_grid: all layers must have as many heads: layer 1 has 2, layer 2 has 1");
  CHECK_THROWS_WITH(
      draw_attention_grid({{map, other}}, ""),
      "draw_attention_grid: all maps must have one size: the first is [3, 2], one in layer 1 is [1, 1]");
}

TEST_CASE("attention map: its beginning has the first queries and keys, with their weights") {
  const AttentionMap part =
      beginning_of({{"a", "b", "c"}, {"x", "y", "z"}, {1, 2, 3, 4, 5, 6, 7, 8, 9}, "t"}, 2);
  CHECK(part.queries == std::vector<std::string>{"a", "b"});
  CHECK(part.keys == std::vector<std::string>{"x", "y"});
  CHECK(part.weights == std::vector<float>{1, 2, 4, 5});
  CHECK(part.title == "t");
  CHECK(beginning_of(three_by_two(), 100).weights == three_by_two().weights);
}

TEST_CASE("attention map: a framed cell has its frame around it, which does not hide its weight") {
  AttentionMap map = three_by_two();
  CHECK(XmlDocument(draw_attention_map(map)).all("rect", "frame").empty());
  map.framed = {{1, 0}};
  const XmlDocument document(draw_attention_map(map));
  const XmlElement frame = document.all("rect", "frame").at(0), cell = document.inside("cells", "rect").at(2);
  CHECK(frame.number("x") <= cell.number("x"));
  CHECK(frame.number("y") <= cell.number("y"));
  CHECK(frame.number("x") + frame.number("width") >= cell.number("x") + cell.number("width"));
  CHECK(frame.number("y") + frame.number("height") >= cell.number("y") + cell.number("height"));
  CHECK(frame["pointer-events"] == "none");
  CHECK(beginning_of(map, 2).framed == map.framed);
  CHECK(beginning_of(map, 1).framed.empty());
  map.framed = {{3, 0}};
  CHECK_THROWS_WITH(
      draw_attention_map(map),
      "draw_attention_map: a framed cell must be one of the map: got query 3 of 3 and key 0 of 2");
}

TEST_CASE("attention map: frames are orange or of the colour that is chosen, in its beginning, too") {
  AttentionMap map = three_by_two();
  map.framed = {{1, 0}, {2, 1}};
  const auto colours_of = [](const AttentionMap& each) {
    std::set<std::string> colours;
    for (const XmlElement& frame : XmlDocument(draw_attention_map(each)).all("rect", "frame"))
      colours.insert(frame["class"] + ", " + frame["stroke"]);
    return colours;
  };
  CHECK(colours_of(map) == std::set<std::string>{"line s1 frame, #d9480f"});
  map.frame_colour = {"s3", "#9333b8"};
  CHECK(colours_of(map) == std::set<std::string>{"line s3 frame, #9333b8"});
  CHECK(colours_of(beginning_of(map, 2)) == colours_of(map));
}
