#include <gradual/nn/drawing/attention_graph.hpp>
#include <gradual/nn/drawing/moving_picture.hpp>

#include <stdexcept>

#include "support/catch.hpp"
#include "support/xml.hpp"

using namespace gradual;

namespace {

/// A small picture whose one text is `title`.
std::string still(const std::string& title) { return draw_attention_graph({{"q"}, {"k"}, {1.0f}, title}); }

std::vector<std::string> shown(const XmlDocument& document) {
  std::vector<std::string> result;
  for (const XmlElement& text : document.all("text")) {
    if (text["class"] != "title") continue;
    XmlElement frame = document.parent(text);
    while (frame["class"].compare(0, 5, "frame") != 0) frame = document.parent(frame);
    if (frame["display"] != "none") result.push_back(text.text);
  }
  return result;
}

std::string refused(const std::vector<Slider>& sliders, const std::vector<std::string>& pictures) {
  try {
    draw_moving_picture(sliders, pictures, "");
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("moving picture: all pictures are in it, and only that of the start is shown") {
  const XmlDocument document(
      draw_moving_picture({{"x", {"0", "1", "2"}, 1}}, {still("a"), still("b"), still("c")}, "three"));
  CHECK(shown(document) == std::vector<std::string>{"b"});
  const XmlElement slider = document.all("metadata").at(0);
  CHECK(slider["data-name"] == "x");
  CHECK(slider["data-start"] == "1");
  CHECK(slider.text == "0|1|2");
}

TEST_CASE("moving picture: of two sliders the last changes fastest") {
  const std::vector<std::string> pictures = {still("00"), still("01"), still("02"),
                                             still("10"), still("11"), still("12")};
  const XmlDocument document(
      draw_moving_picture({{"a", {"0", "1"}, 1}, {"b", {"0", "1", "2"}, 0}}, pictures, ""));
  CHECK(shown(document) == std::vector<std::string>{"10"});
}

TEST_CASE("moving picture: it is as large as the largest of its pictures, with one style sheet") {
  const std::string small = still("a"), large = still("a title that is far longer than the other one");
  const XmlDocument document(draw_moving_picture({{"x", {"0", "1"}, 0}}, {small, large}, ""));
  CHECK(document.all("svg").size() == 1);
  CHECK(document.all("style").size() == 1);
  CHECK(document.all("svg").at(0).number("width") == XmlDocument(large).all("svg").at(0).number("width"));
}

TEST_CASE("moving picture: a missing picture, an empty slider and a strange picture are named") {
  CHECK(refused({}, {}).find("got none") != std::string::npos);
  CHECK(refused({{"x", {}, 0}}, {}).find("x starts at 0 of 0") != std::string::npos);
  CHECK(refused({{"x", {"0"}, 1}}, {still("a")}).find("x starts at 1 of 1") != std::string::npos);
  CHECK(refused({{"x", {"0", "1"}, 0}}, {still("a")}).find("got 1 for 2") != std::string::npos);
  CHECK(refused({{"x", {"0"}, 0}}, {"<p>"}).find("got \"<p>\"") != std::string::npos);
}
