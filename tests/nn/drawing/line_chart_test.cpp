#include <gradual/nn/drawing/line_chart.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <gradual/nn/drawing/readable_text.hpp>

#include "support/catch.hpp"
#include "support/xml.hpp"

using namespace gradual;

namespace {

LineChart two_curves() {
  return {"Loss", "step", {{"training", {0, 10, 20}, {3, 2, 1.5}}, {"validation", {10, 20}, {2.5, 2}}}};
}

struct Vertex {
  char command;  // M starts a piece, L goes on
  double x, y;
};

std::vector<Vertex> vertices(const XmlElement& path) {
  std::vector<Vertex> result;
  const std::string d = path["d"];
  for (std::size_t at = d.find_first_of("ML"); at != std::string::npos; at = d.find_first_of("ML", at + 1)) {
    Vertex vertex{d[at], 0, 0};
    REQUIRE(std::sscanf(d.c_str() + at + 1, "%lf %lf", &vertex.x, &vertex.y) == 2);
    result.push_back(vertex);
  }
  return result;
}

std::vector<std::string> hovers(const XmlDocument& document) {
  std::vector<std::string> result;
  for (const XmlElement& title : document.all("title")) result.push_back(title.text);
  return result;
}

bool has_text(const XmlDocument& document, const std::string& wanted) {
  const auto texts = document.all("text");
  return std::any_of(texts.begin(), texts.end(), [&](const XmlElement& text) { return text.text == wanted; });
}

}  // namespace

TEST_CASE("line chart: a curve for each series, in its own colour") {
  const auto paths = XmlDocument(draw_line_chart(two_curves())).all("path");
  REQUIRE(paths.size() == 2);
  CHECK(paths[0].has_class("s0"));
  CHECK(paths[1].has_class("s1"));
  CHECK(vertices(paths[0]).size() == 3);
  CHECK(vertices(paths[1]).size() == 2);
}

TEST_CASE("line chart: larger y is higher up, equal steps of x are equally wide, all inside the picture") {
  const auto points = vertices(XmlDocument(draw_line_chart(two_curves())).all("path").at(0));
  CHECK(points[0].y < points[1].y);
  CHECK(points[1].y < points[2].y);
  CHECK(points[1].x - points[0].x == Approx(points[2].x - points[1].x).margin(0.2));
  // From 3 to 2 is twice as far as from 2 to 1.5.
  CHECK(points[1].y - points[0].y == Approx(2 * (points[2].y - points[1].y)).margin(0.3));
  for (const Vertex& point : points) CHECK((point.x > 0 && point.x < 720 && point.y > 0 && point.y < 320));
}

TEST_CASE("line chart: title, axis name, round ticks, and a legend for several curves") {
  const XmlDocument document(draw_line_chart(two_curves()));
  for (const char* text : {"Loss", "step", "training", "validation", "0", "10", "20", "1.5", "3"})
    CHECK(has_text(document, text));
  LineChart single = two_curves();
  single.series.pop_back();
  CHECK_FALSE(has_text(XmlDocument(draw_line_chart(single)), "training"));
}

TEST_CASE("line chart: negative numbers have the minus sign of print") {
  const XmlDocument document(draw_line_chart({"log p", "step", {{"log p", {1, 2}, {-1, -2.5}}}}));
  CHECK(has_text(document, "−2.5"));
  CHECK(hovers(document) == std::vector<std::string>{"log p at step 1: −1.0", "log p at step 2: −2.5"});
}

TEST_CASE("line chart: resting on it shows every value there") {
  CHECK(hovers(XmlDocument(draw_line_chart(two_curves()))) ==
        std::vector<std::string>{"training at step 0: 3.0",
                                 "training at step 10: 2.0\nvalidation at step 10: 2.5",
                                 "training at step 20: 1.5\nvalidation at step 20: 2.0"});
}

TEST_CASE("line chart: the strips that show values lie side by side without gaps") {
  const auto strips = XmlDocument(draw_line_chart(two_curves())).all("rect", "hit");
  REQUIRE(strips.size() == 3);
  for (std::size_t i = 1; i < 3; ++i) {
    CHECK(strips[i - 1].number("x") + strips[i - 1].number("width") ==
          Approx(strips[i].number("x")).margin(0.02));
  }
}

TEST_CASE("line chart: on a logarithmic axis equal ratios are equally far apart") {
  const LineChart chart{"Time", "length", {{"full", {1, 2, 3}, {0.1, 1, 10}}}, true};
  const auto points = vertices(XmlDocument(draw_line_chart(chart)).all("path").at(0));
  CHECK(points[0].y - points[1].y == Approx(points[1].y - points[2].y).margin(0.2));
}

TEST_CASE("line chart: on two logarithmic axes a power is a straight line, and its exponent the slope") {
  LineChart chart{"Time", "length", {{"square", {64, 256, 1024, 8192}, {1, 16, 256, 16384}}}, true};
  chart.log_x = true;
  const auto points = vertices(XmlDocument(draw_line_chart(chart)).all("path").at(0));
  REQUIRE(points.size() == 4);
  const auto slope = [&](std::size_t i) {
    return (points[i + 1].y - points[i].y) / (points[i + 1].x - points[i].x);
  };
  CHECK(slope(1) == Approx(slope(0)).epsilon(0.01));
  CHECK(slope(2) == Approx(slope(0)).epsilon(0.01));
  CHECK(points[2].x - points[1].x == Approx(points[1].x - points[0].x).margin(0.2));
}

TEST_CASE("line chart: marks that are asked for stand where their values lie, in place of round numbers") {
  LineChart chart{"Time", "length", {{"full", {64, 128, 256}, {1, 2, 4}}}, true};
  chart.log_x = true;
  chart.x_ticks = {64, 128, 256};
  const XmlDocument document(draw_line_chart(chart));
  const auto points = vertices(document.all("path").at(0));
  const auto texts = document.all("text", "soft");
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string value = std::to_string(64 << i);
    const auto mark = std::find_if(texts.begin(), texts.end(), [&](auto& t) { return t.text == value; });
    REQUIRE(mark != texts.end());
    CHECK(mark->number("x") == Approx(points[i].x).margin(0.1));
  }
  CHECK_FALSE(has_text(document, "100"));
}

TEST_CASE("line chart: a line across the chart stands where its value lies, unless that is beyond the axis") {
  LineChart chart{"Right", "length", {{"full", {64, 128, 256}, {1, 2, 4}}}};
  chart.log_x = true;
  CHECK(XmlDocument(draw_line_chart(chart)).all("line", "mark").empty());
  chart.x_lines = {128, 16, 1024};
  const XmlDocument document(draw_line_chart(chart));
  const auto lines = document.all("line", "mark");
  REQUIRE(lines.size() == 1);
  const double x = vertices(document.all("path").at(0)).at(1).x;
  CHECK(lines[0].number("x1") == Approx(x).margin(0.1));
  CHECK(lines[0].number("x2") == Approx(x).margin(0.1));
  CHECK(lines[0].number("y2") - lines[0].number("y1") > 100);
}

TEST_CASE("line chart: from zero, the y axis holds 0, also where no value is near it") {
  LineChart chart{"Right (%)", "step", {{"right", {5, 10}, {81, 99}}}};
  CHECK_FALSE(has_text(XmlDocument(draw_line_chart(chart)), "0"));
  chart.from_zero = true;
  CHECK(has_text(XmlDocument(draw_line_chart(chart)), "0"));
  chart.log_y = true;
  CHECK_FALSE(has_text(XmlDocument(draw_line_chart(chart)), "0"));
}

TEST_CASE(
    "line chart: a limit is dashed and takes no curve's colour, on the chart and in the legend, and no other "
    "line is") {
  LineChart chart = two_curves();
  chart.series[1].dashed = true;
  const XmlDocument document(draw_line_chart(chart));
  std::vector<std::string> dashed;
  for (const char* kind : {"line", "path"})
    for (const XmlElement& line : document.all(kind, "line"))
      if (!document.parent(line)["stroke-dasharray"].empty()) dashed.push_back(line["class"]);
  CHECK(dashed == std::vector<std::string>{"line limit", "line limit"});
}

TEST_CASE("line chart: a faint curve is grey and thinner, and leaves its colour to the others") {
  LineChart chart = two_curves();
  chart.series.insert(chart.series.begin(), {"another", {0, 20}, {1, 1}, false, true});
  for (const bool at_ends : {false, true}) {
    chart.names_at_ends = at_ends;
    const XmlDocument document(draw_line_chart(chart));
    const auto curves = document.all("path");
    CHECK((curves[0].has_class("faint") && curves[0].has_class("neutral")));
    CHECK(document.parent(curves[0]).number("opacity") < 1);
    CHECK(curves[1].has_class("s0"));
    CHECK(curves[2].has_class("s1"));
    CHECK(curves[1]["stroke"] == "#2563eb");
    CHECK(curves[0]["stroke"] != curves[1]["stroke"]);
    CHECK(curves[0].number("stroke-width") < curves[1].number("stroke-width"));
    CHECK_FALSE(curves[0].has_class("line"));  // the style sheet would make it as thick as the others
    // The line of its legend, or to its name, and its curve: no marks, which the others have.
    CHECK(document.all("line", "faint").size() + document.all("path", "faint").size() == 2);
    CHECK(document.all("path", "marks").size() == (at_ends ? 2 : 0));
    // Resting on it, too, shows its point in grey.
    CHECK(document.all("circle", "neutral").size() == 2);
  }
}

TEST_CASE("line chart: a point that cannot be drawn interrupts its curve") {
  const LineChart chart{"Loss", "step", {{"a", {1, 2, 3, 4, 5}, {1, 2, std::nan(""), 3, 4}}}};
  const auto points = vertices(XmlDocument(draw_line_chart(chart)).all("path").at(0));
  REQUIRE(points.size() == 4);
  CHECK(points[2].command == 'M');
  const LineChart logarithmic{"Loss", "step", {{"a", {1, 2, 3}, {1, 0, 10}}}, true};
  CHECK(vertices(XmlDocument(draw_line_chart(logarithmic)).all("path").at(0)).size() == 2);
}

TEST_CASE("line chart: a point that no line goes to is a dot") {
  const auto dots = [](const std::vector<double>& y) {
    const XmlDocument document(draw_line_chart({"Loss", "step", {{"a", {1, 2, 3, 4}, y}}}));
    const auto circles = document.all("circle");
    return std::count_if(circles.begin(), circles.end(),
                         [&](const XmlElement& circle) { return !document.parent(circle).has_class("at"); });
  };
  CHECK(dots({1, std::nan(""), 2, 3}) == 1);
  CHECK(dots({std::nan(""), 2, std::nan(""), 3}) == 2);
  CHECK(dots({1, 2, 3, 4}) == 0);
  CHECK(dots({std::nan(""), 1, 2, 3}) == 0);
  CHECK(dots({1, 2, 3, std::nan("")}) == 0);
}

TEST_CASE("line chart: the legend shows a dot for a series of dots, and a line for others") {
  const double nothing = std::nan("");
  const XmlDocument document(draw_line_chart(
      {"Loss", "step", {{"dots", {1, nothing, 2}, {1, nothing, 3}}, {"line", {1, 2}, {1, 3}}}}));
  const auto key_of = [&](const char* kind, const char* css_class) {
    const auto keys = document.all(kind, css_class);
    return std::count_if(keys.begin(), keys.end(), [&](const XmlElement& key) {
      return !document.parent(key).has_class("at") && key.number(key.name == "circle" ? "cy" : "y1") < 30;
    });
  };
  CHECK(key_of("circle", "s0") == 1);
  CHECK(key_of("line", "s0") == 0);
  CHECK(key_of("circle", "s1") == 0);
  CHECK(key_of("line", "s1") == 1);
}

TEST_CASE("line chart: nothing to draw is an empty chart") {
  for (const Series& series : {Series{"a", {}, {}}, Series{"a", {1}, {std::nan("")}}}) {
    const XmlDocument document(draw_line_chart({"Loss", "step", {series}}));
    CHECK(document.all("path").at(0)["d"].empty());
    CHECK(document.all("rect", "hit").empty());
  }
  CHECK(XmlDocument(draw_line_chart({"Loss", "step", {}})).all("path").empty());
}

TEST_CASE("line chart: where all is 0 the axis ends at 1") {
  const XmlDocument document(draw_line_chart({"Loss", "step", {{"training", {0, 1}, {0, 0}}}}));
  std::vector<std::string> labels;
  for (const XmlElement& label : document.all("text")) labels.push_back(label.text);
  CHECK(std::count(labels.begin(), labels.end(), "1") == 2);  // of both axes
  CHECK(std::count(labels.begin(), labels.end(), "2") == 0);
}

TEST_CASE("line chart: a hundred thousand points make a small picture that keeps the peaks") {
  Series series{"a", {}, {}};
  for (int i = 0; i < 100000; ++i) {
    series.x.push_back(i);
    series.y.push_back(std::sin(i * 0.7) + (i == 54321 ? 9 : i == 12345 ? -9 : 0));
  }
  const std::string svg = draw_line_chart({"Loss", "step", {series}});
  CHECK(svg.size() < 150000);
  const auto points = vertices(XmlDocument(svg).all("path").at(0));
  const auto [highest, lowest] =
      std::minmax_element(points.begin(), points.end(), [](auto& a, auto& b) { return a.y < b.y; });
  // Both peaks stand out by eight times the height of the band between them.
  const auto near = [&](double y) {
    return std::count_if(points.begin(), points.end(), [&](auto& p) { return std::abs(p.y - y) < 60; });
  };
  CHECK(near(highest->y) == 1);
  CHECK(near(lowest->y) == 1);
  CHECK(points.size() <= 4 * 720);
  CHECK(XmlDocument(svg).all("rect", "hit").size() <= 721 / 6 + 1);
}

TEST_CASE("line chart: on a narrow chart the legend stands below the title") {
  LineChart chart = two_curves();
  chart.title = "Loss (nats per token, with smoothing)";
  const auto legend_y = [&] {
    const auto texts = XmlDocument(draw_line_chart(chart)).all("text", "soft");
    return std::find_if(texts.begin(), texts.end(), [](auto& t) { return t.text == "training"; })
        ->number("y");
  };
  const double wide = legend_y();
  chart.width = 330;
  CHECK(legend_y() > wide + 10);
}

TEST_CASE("line chart: a title too long for one line goes on in the next, and legend and curves make room") {
  LineChart chart = two_curves();
  chart.title = "Mean error on formulas that were not trained on (K)";
  chart.width = 330;
  const XmlDocument document(draw_line_chart(chart));
  const auto title = document.all("text", "title");
  REQUIRE(title.size() == 2);
  CHECK(title[0].text + " " + title[1].text == chart.title);
  CHECK(title[1].number("y") > title[0].number("y") + 10);
  for (const XmlElement& line : title) CHECK(8 * static_cast<double>(line.text.size()) < 330);
  for (const XmlElement& entry : document.all("text", "soft"))
    if (entry.text == "training") CHECK(entry.number("y") > title[1].number("y") + 10);
  for (const XmlElement& path : document.all("path"))
    for (const Vertex& point : vertices(path)) CHECK(point.y > title[1].number("y"));
}

TEST_CASE("line chart: a legend too long for one line goes on in the next, and the curves make room") {
  LineChart chart{"Right (%)", "step", {}};
  for (const char* name : {"1 round of width 32", "1 round of width 64", "2 rounds of width 32"})
    chart.series.push_back({name, {1, 2}, {1, 2}});
  chart.width = 330;
  const XmlDocument document(draw_line_chart(chart));
  std::vector<double> lines;
  for (const XmlElement& text : document.all("text", "soft")) {
    if (text.text.find("round") == std::string::npos) continue;
    CHECK(text.number("x") + 7 * static_cast<double>(text.text.size()) < 330);
    lines.push_back(text.number("y"));
  }
  REQUIRE(lines.size() == 3);
  CHECK(lines[2] > lines[0] + 10);
  for (const XmlElement& path : document.all("path"))
    for (const Vertex& point : vertices(path)) CHECK(point.y > lines[2]);
}

TEST_CASE(
    "line chart: what the lines of title and legend need comes to the picture's height, and the curves keep "
    "theirs") {
  const auto drawn = [](const LineChart& chart) {
    const XmlDocument document(draw_line_chart(chart));
    const std::vector<Vertex> curve = vertices(document.all("path").at(0));
    return std::pair(document.all("svg").at(0).number("height"), curve.back().y - curve.front().y);
  };
  LineChart chart = two_curves();
  chart.width = 330;
  const auto [height, curve] = drawn(chart);
  CHECK(height == chart.height);
  for (const char* name : {"a third way of a long name", "a fourth way of a long name"})
    chart.series.push_back({name, {0, 20}, {3, 1.5}});
  const auto [higher, same] = drawn(chart);
  CHECK(higher >= height + 2 * 18);
  CHECK(same == Approx(curve).margin(0.2));
}

TEST_CASE("line chart: bad arguments are named") {
  CHECK_THROWS_WITH(draw_line_chart({"Loss", "step", {{"a", {1, 2}, {1}}}}),
                    "draw_line_chart: a series must have as many x as y: \"a\" has 2 x and 1 y");
  LineChart chart = two_curves();
  chart.width = 100;
  CHECK_THROWS_WITH(draw_line_chart(chart),
                    "draw_line_chart: the chart must be at least 200 wide and 120 high: it is 100 by 320");
}

TEST_CASE(
    "line chart: names at the ends stand in the order of the ends, none over another, with marks of their "
    "own") {
  LineChart chart{"Right", "length", {}};
  for (const char* name : {"first", "second", "third"})
    chart.series.push_back({name, {1, 2}, {5, 5 - 0.001 * static_cast<double>(chart.series.size())}});
  chart.series.push_back({"other", {1, 2}, {1, 9}});
  chart.series.push_back({"limit", {1, 2}, {2, 2}, true});
  chart.names_at_ends = true;
  const XmlDocument document(draw_line_chart(chart));
  const XmlElement hit = document.all("rect", "hit").back();
  std::vector<std::pair<double, std::string>> names;
  for (const XmlElement& text : document.all("text"))
    if (text.number("x") > hit.number("x") + hit.number("width"))
      names.emplace_back(text.number("y"), text.text);
  const char* expected[] = {"other", "first", "second", "third", "limit"};
  REQUIRE(names.size() == 5);
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(names[i].second == expected[i]);
    if (i > 0) CHECK(names[i].first - names[i - 1].first >= 14.99);
  }
  CHECK(document.elements[0].number("width") > names[0].first);
  const auto marks = document.all("path", "marks");
  REQUIRE(marks.size() == 4);  // a limit is not measured
  const auto shape = [](const XmlElement& mark) { return mark["d"].substr(mark["d"].find('m')); };
  CHECK(shape(marks[0]) != shape(marks[1]));
}

TEST_CASE("line chart: grey curves that end at one place share a name, where it is not long") {
  LineChart chart{"Right", "length", {{"best", {1, 2}, {100, 78}}, {"other", {1, 2}, {100, 29}}}};
  for (const char* name : {"rotary", "learned"})
    chart.series.push_back({name, {1, 2}, {100, 29}, false, true});
  chart.series.push_back({"a guess", {1, 2}, {90, 28.5}, true});
  chart.series.push_back({"none", {1, 2}, {90, 33}, false, true});
  chart.names_at_ends = chart.from_zero = true;
  const std::string shared = "rotary, learned, a guess";
  for (const int width : {1100, 330}) {
    chart.width = width;
    const XmlDocument document(draw_line_chart(chart));
    CHECK(has_text(document, shared) == (width == 1100));
    CHECK(has_text(document, "rotary") == (width == 330));
    for (const char* name : {"best", "other", "none"}) CHECK(has_text(document, name));
  }
}

TEST_CASE("line chart: names at the ends stand about as far above their ends as below") {
  LineChart chart{"Right", "length", {}};
  for (const char* name : {"a", "b", "c"}) chart.series.push_back({name, {1, 2}, {8, 4}});
  chart.names_at_ends = chart.from_zero = true;
  const XmlDocument document(draw_line_chart(chart));
  const double end = vertices(document.all("path").at(0)).at(1).y;
  for (const XmlElement& text : document.all("text"))
    if (text.text == "b") CHECK(text.number("y") == Approx(end + 4).margin(0.2));
}

TEST_CASE("line chart: values that are shown have one number of decimals, and their unit") {
  LineChart chart{"Right", "step", {{"a", {1, 2, 3}, {100, 31.4, 30.37}}}};
  chart.unit = " %";
  CHECK(hovers(XmlDocument(draw_line_chart(chart))) ==
        std::vector<std::string>{"a at step 1: 100.0 %", "a at step 2: 31.4 %", "a at step 3: 30.4 %"});
}

TEST_CASE("line chart: there is room for the longest of the names at the ends") {
  LineChart chart{"Right", "length", {}};
  for (const char* name : {"a", "a name that is longer than all others", "other"})
    chart.series.push_back({name, {1, 2}, {8, 0}});
  chart.names_at_ends = true;
  chart.width = 1100;
  const XmlDocument document(draw_line_chart(chart));
  for (const XmlElement& text : document.all("text"))
    if (text.text.find("longer") != std::string::npos)
      CHECK(text.number("x") + text_width(text.text, 12) <= document.elements[0].number("width"));
}

TEST_CASE(
    "line chart: names too long to stand at the ends of a narrow chart stand in its legend, with their "
    "marks") {
  LineChart chart{"Right", "length", {}};
  for (const char* name : {"two looks along bonds", "other"}) chart.series.push_back({name, {1, 2}, {8, 0}});
  chart.series.push_back({"limit", {1, 2}, {2, 2}, true});
  chart.names_at_ends = true;
  const auto right_of = [](const XmlDocument& document) {
    const XmlElement hit = document.all("rect", "hit").back();
    return hit.number("x") + hit.number("width");
  };
  for (const int width : {330, 1100}) {
    chart.width = width;
    const XmlDocument document(draw_line_chart(chart));
    const bool narrow = width == 330;
    std::size_t above = 0;
    for (const XmlElement& text : document.all("text"))
      for (const Series& each : chart.series)
        above += text.text == each.name && text.number("y") < 80 ? 1 : 0;
    CHECK(above == (narrow ? 3 : 0));
    CHECK((right_of(document) > 0.9 * width) == narrow);
    CHECK(document.all("path", "marks").size() == (narrow ? 4 : 2));  // on the curves, and in the legend
  }
}

TEST_CASE("line chart: names at the ends do not leave the picture where curves end at its bottom") {
  LineChart chart{"Right", "length", {}};
  for (const char* name : {"a", "b", "c", "d", "e", "f"}) chart.series.push_back({name, {1, 2}, {8, 0}});
  chart.names_at_ends = chart.from_zero = true;
  for (const XmlElement& text : XmlDocument(draw_line_chart(chart)).all("text"))
    CHECK(text.number("y") <= chart.height);
}

TEST_CASE("line chart: a curve has the colour that it is given, wherever it stands") {
  LineChart chart = two_curves();
  chart.series[0].colour = 1;
  chart.series[1].colour = 4;
  const auto paths = XmlDocument(draw_line_chart(chart)).all("path");
  CHECK(paths[0].has_class("s1"));
  CHECK(paths[1].has_class("s4"));
}

TEST_CASE("line chart: with equal axes as much is as far on both, in a square") {
  LineChart chart{
      "Predicted", "true", {{"dots", {-20, 130}, {15, 90}}, {"no error", {-20, 130}, {-20, 130}, true}}};
  chart.equal_axes = true;
  for (const int width : {330, 530}) {
    chart.width = width;
    const XmlDocument document(draw_line_chart(chart));
    const auto line = vertices(document.all("path", "limit").at(0));
    CHECK(line[1].x - line[0].x == Approx(line[0].y - line[1].y).margin(0.2));
    // Both axes begin and end with the same numbers, which stand at the corners of the square.
    const auto lines = document.inside("grid", "line");
    REQUIRE(lines.size() >= 3);
    const double left = std::stod(lines.front()["x1"]), right = std::stod(lines.front()["x2"]);
    const double bottom = std::stod(lines.front()["y1"]), top = std::stod(lines.back()["y1"]);
    CHECK(right - left == Approx(bottom - top).margin(0.2));
    CHECK(std::stod(document.all("svg").at(0)["height"]) > bottom);
  }
}
