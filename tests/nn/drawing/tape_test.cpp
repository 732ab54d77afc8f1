#include <gradual/nn/drawing/tape.hpp>

#include <cstdio>
#include <stdexcept>

#include "support/catch.hpp"
#include "support/xml.hpp"

using namespace gradual;

namespace {

// y = x·x + x at x = 3: dy/dx = 2·3 + 1 = 7.
const std::vector<TapeEntry> kTape{{"x", 3, {}, {}}, {"p", 9, {0, 0}, {3, 3}}, {"y", 12, {1, 0}, {1, 1}}};

std::vector<std::string> texts(const std::vector<double>& gradients, std::size_t walked,
                               const std::string& css_class) {
  std::vector<std::string> result;
  for (const XmlElement& element : XmlDocument(draw_tape(kTape, gradients, walked)).all("text", css_class))
    result.push_back(element.text);
  return result;
}

std::string complaint(const std::vector<TapeEntry>& entries, const std::vector<double>& gradients,
                      std::size_t walked) {
  try {
    draw_tape(entries, gradients, walked);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("tape: before the walk each arc has its slope, and all but the last result wait") {
  CHECK(texts({0, 0, 1}, 3, "soft") ==
        std::vector<std::string>{"3", "3", "1", "1", "slope 0 so far", "slope 0 so far"});
  CHECK(texts({0, 0, 1}, 3, "title") == std::vector<std::string>{"slope 1"});
}

TEST_CASE("tape: what was walked has the products that it handed on, and what waits for none is complete") {
  CHECK(texts({1, 1, 1}, 2, "title") == std::vector<std::string>{"1 · 1", "1 · 1", "slope 1", "slope 1"});
  CHECK(texts({1, 1, 1}, 2, "soft") == std::vector<std::string>{"3", "3", "slope 1 so far"});
  CHECK(texts({7, 1, 1}, 1, "soft").empty());
  CHECK(texts({7, 1, 1}, 1, "title") ==
        std::vector<std::string>{"3 · 1", "3 · 1", "1 · 1", "1 · 1", "slope 7", "slope 1", "slope 1"});
}

TEST_CASE("tape: no two of its arcs have one height where they share a stretch") {
  const std::vector<TapeEntry> long_tape{
      {"a", 1, {}, {}}, {"b", 1, {0, 0, 0}, {1, 1, 1}}, {"c", 1, {0, 1}, {1, 1}}, {"d", 1, {0, 2}, {1, 1}}};
  std::vector<std::string> heights;
  for (const XmlElement& label : XmlDocument(draw_tape(long_tape, {1, 1, 1, 1}, 0)).all("text", "title"))
    if (label.text == "1 · 1") heights.push_back(label["y"]);
  // a to b three times, b to c, c to d, a to c, a to d: the last two go over all before them that they meet
  REQUIRE(heights.size() == 7);
  CHECK(heights[3] == heights[0]);
  CHECK(heights[4] == heights[0]);
  for (std::size_t i : {1u, 2u, 5u, 6u})
    for (std::size_t j = 0; j < i; ++j) CHECK(heights[i] != heights[j]);
}

TEST_CASE("tape: one that is none is refused by name") {
  CHECK(complaint({}, {}, 0) == "draw_tape: there must be an entry");
  CHECK(complaint({{"x", 1, {0}, {1}}}, {1}, 0) ==
        "draw_tape: inputs are earlier than their result: entry 0 has input 0");
  CHECK(complaint({{"x", 1, {}, {}}, {"y", 1, {0}, {}}}, {1, 1}, 0) ==
        "draw_tape: an entry has a slope for each input: entry 1 has 1 inputs and 0 slopes");
  CHECK(complaint(kTape, {1, 1}, 0) == "draw_tape: each entry has a gradient: got 2 for 3 entries");
  CHECK(complaint(kTape, {1, 1, 1}, 4) ==
        "draw_tape: the walk starts behind the last entry: got 4 for 3 entries");
}

TEST_CASE("tape: a number that is not finite, and one alone, are drawn as what they are") {
  const std::string picture = draw_tape({{"x", 1.0 / 0.0, {}, {}}}, {-0.5}, 1);
  CHECK(picture.find("x = inf") != std::string::npos);
  CHECK(picture.find("slope −0.5") != std::string::npos);
}

TEST_CASE(
    "tape: an arc leaves its input on the right half, and comes in on the left one, the nearest outermost") {
  const XmlDocument document(draw_tape(kTape, {0, 0, 1}, 3));
  std::vector<double> starts, ends;
  for (const XmlElement& path : document.all("path")) {
    if (path["fill"] != "none") continue;
    const std::string& line = path["d"];
    starts.push_back(std::stod(line.substr(1)));
    const std::string last = line.substr(line.rfind(' ', line.rfind(' ') - 1));
    ends.push_back(std::stod(last));
  }
  std::vector<double> left, right;
  for (const XmlElement& frame : document.all("rect")) {
    if (frame["rx"].empty()) continue;  // the ground
    left.push_back(frame.number("x"));
    right.push_back(frame.number("x") + frame.number("width"));
  }
  REQUIRE(left.size() == 3);
  REQUIRE(starts.size() == 4);  // x to p twice, p to y, x to y
  const std::size_t from[] = {0, 0, 1, 0}, to[] = {1, 1, 2, 2};
  for (std::size_t k = 0; k < 4; ++k) {
    INFO("arc " << k << " from " << starts[k] << " to " << ends[k]);
    CHECK((starts[k] > (left[from[k]] + right[from[k]]) / 2 && starts[k] < right[from[k]]));
    CHECK((ends[k] > left[to[k]] && ends[k] < (left[to[k]] + right[to[k]]) / 2));
  }
}

TEST_CASE(
    "tape: results stand side by side in their order, words within the picture, and arcs at their labels") {
  const XmlDocument document(draw_tape(kTape, {0, 0, 1}, 3));
  const XmlElement picture = document.all("svg").at(0);
  double right = 0, top = 0;
  for (const XmlElement& frame : document.all("rect")) {
    if (frame["rx"].empty()) continue;  // the ground
    CHECK(frame.number("x") > right);
    right = frame.number("x") + frame.number("width");
    top = frame.number("y");
  }
  CHECK(right < picture.number("width"));
  const std::vector<XmlElement> words = document.all("text");
  for (const XmlElement& each : words) {
    CHECK(each.number("y") > 10);
    CHECK(each.number("y") < picture.number("height"));
  }
  std::size_t arcs = 0;
  for (const XmlElement& path : document.all("path")) {
    if (path["fill"] != "none") continue;
    double x1, y1, bx, by, cx, cy, x2, y2;
    REQUIRE(std::sscanf(path["d"].c_str(), "M%lf %lfC%lf %lf %lf %lf %lf %lf", &x1, &y1, &bx, &by, &cx, &cy,
                        &x2, &y2) == 8);
    CHECK(y1 == Approx(top).margin(0.1));
    CHECK((y2 < top && y2 > top - 8));  // within the head, whose tip is on the frame
    const XmlElement& label = words.at(arcs++);
    const double middle = (y1 + 3 * by + 3 * cy + y2) / 8;  // of the curve
    CHECK((label.number("y") < middle && label.number("y") > middle - 12));
    CHECK((label.number("x") > x1 && label.number("x") < x2));
  }
  CHECK(arcs == 4);
}
