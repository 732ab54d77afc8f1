#include <gradual/nn/drawing/svg.hpp>

#include "support/catch.hpp"
#include "support/xml.hpp"

using namespace gradual;

TEST_CASE("svg: markup in texts is escaped") {
  CHECK(escaped("a<b & \"c\">d") == "a&lt;b &amp; &quot;c&quot;&gt;d");
  CHECK(escaped("bad \xff") == "bad \uFFFD");
}

TEST_CASE("svg: a picture is well-formed, whatever the texts are") {
  const std::string odd = "<&\">'\xff\x01";
  Svg svg(100, 50, "test", odd);
  svg.open("g", {{"data", odd}});
  svg.element("rect", {{"x", 1}}, odd);
  svg.text(1, 2, odd, {}, odd);
  const XmlDocument document(svg.finish());
  CHECK(document.elements[0]["aria-label"] == "<&\">'\uFFFD␁");
  CHECK(document.all("text").at(0).text == "<&\">'\uFFFD␁");
  CHECK(document.all("title").size() == 2);
}

TEST_CASE("svg: the picture has its size in pixels and its name for those who cannot see it") {
  const XmlDocument document(Svg(100.5, 50, "map", "A map").finish());
  const XmlElement& root = document.elements[0];
  CHECK(root.name == "svg");
  CHECK(root["xmlns"] == "http://www.w3.org/2000/svg");
  CHECK(root["viewBox"] == "0 0 100.5 50");
  CHECK(root["width"] == "100.5");
  CHECK(root["role"] == "img");
  CHECK(root["aria-label"] == "A map");
  CHECK(root.has_class("gradual"));
  CHECK(root.has_class("map"));
}

TEST_CASE("svg: numbers are short") {
  Svg svg(10, 10, "", "");
  svg.element("rect", {{"x", 1.0 / 3}, {"y", 2.0}, {"rx", -0.001}});
  const XmlElement rect = XmlDocument(svg.finish()).all("rect").at(1);
  CHECK(rect["x"] == "0.33");
  CHECK(rect["y"] == "2");
  CHECK(rect["rx"] == "0");
}

TEST_CASE("svg: elements lie inside the one that was opened last") {
  Svg svg(10, 10, "", "");
  svg.open("g", {{"class", "outer"}});
  svg.open("g", {{"class", "inner"}});
  svg.element("line", {});
  svg.close();
  svg.element("circle", {});
  const XmlDocument document(svg.finish());
  CHECK(document.inside("inner", "line").size() == 1);
  CHECK(document.inside("outer", "circle").size() == 1);
}

TEST_CASE("svg: the style knows light and dark, and a page can override each colour") {
  const std::string style(picture_style());
  CHECK(style.find("prefers-color-scheme:dark") != std::string::npos);
  for (const char* colour : {"ink", "soft", "line", "paper", "weight", "series-0", "series-5"}) {
    const std::string name = std::string("var(--gradual-") + colour + ",";
    const std::size_t first = style.find(name);
    CHECK(first != std::string::npos);
    CHECK(style.find(name, first + 1) != std::string::npos);
  }
}
