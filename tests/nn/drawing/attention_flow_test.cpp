#include <gradual/nn/drawing/attention_flow.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "support/catch.hpp"
#include "support/xml.hpp"

using namespace gradual;

namespace {

/// Three items with everything that one attention has.
AttentionFlow whole_flow() {
  AttentionFlow flow;
  flow.items = {"soup", "waiter", "rain"};
  flow.query = "q";
  flow.keys = flow.values = flow.scores = true;
  flow.weights = {0.8, 0.1, 0.1};
  return flow;
}

std::size_t of_class(const XmlDocument& document, const std::string& css_class) {
  std::size_t count = 0;
  for (const XmlElement& group : document.all("g")) count += group["class"] == css_class;
  return count;
}

std::vector<std::string> labels(const XmlDocument& document) {
  std::vector<std::string> result;
  for (const XmlElement& text : document.all("text")) result.push_back(text.text);
  return result;
}

std::string refusal(const AttentionFlow& flow) {
  try {
    draw_attention_flow(flow);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("attention flow: items, weights and a result, where nothing else is asked for") {
  AttentionFlow flow;
  flow.items = {"a", "b"};
  const XmlDocument document(draw_attention_flow(flow));
  CHECK(labels(document) == std::vector<std::string>{"a", "b", "p1", "p2", "z"});
  CHECK(of_class(document, "arrow item") == 2 + 2);  // each item into its weight and into the result
  CHECK(of_class(document, "arrow weight") == 2);
}

TEST_CASE("attention flow: each role has its nodes and arrows, and a value no arrow into a score") {
  const XmlDocument document(draw_attention_flow(whole_flow()));
  CHECK(of_class(document, "node query") == 1);
  CHECK(of_class(document, "node key") == 3);
  CHECK(of_class(document, "node value") == 3);
  CHECK(of_class(document, "node weight") == 3 + 1 + 3);  // scores, the softmax, weights
  CHECK(of_class(document, "arrow query") == 3);
  CHECK(of_class(document, "arrow key") == 3 + 3);    // from the items, into the scores
  CHECK(of_class(document, "arrow value") == 3 + 3);  // from the items, into the result
  CHECK(of_class(document, "arrow item") == 0);
}

TEST_CASE("attention flow: the arrow of a heavier value is thicker") {
  const XmlDocument document(draw_attention_flow(whole_flow()));
  std::vector<double> widths;
  for (const XmlElement& path : document.all("path"))
    if (path["class"] != "head" && document.parent(path)["class"] == "arrow value")
      widths.push_back(path.number("stroke-width"));
  REQUIRE(widths.size() == 6);
  CHECK(widths[1] > widths[3]);
  CHECK(widths[3] == widths[5]);
}

TEST_CASE("attention flow: what is masked is pale and has no arrow into the softmax") {
  AttentionFlow flow = whole_flow();
  const std::size_t arrows = of_class(XmlDocument(draw_attention_flow(flow)), "arrow weight");
  flow.weights = {0.5, 0.5, 0};
  flow.valid = 2;
  const XmlDocument document(draw_attention_flow(flow));
  CHECK(of_class(document, "arrow weight") == arrows - 1);
  std::size_t pale = 0;
  for (const XmlElement& group : document.all("g"))
    pale += group["class"].compare(0, 5, "node ") == 0 && group["opacity"] == "0.4";
  CHECK(pale == 5);  // the item, its key, value, score and weight
}

TEST_CASE("attention flow: an item that asks leads to the query") {
  AttentionFlow flow = whole_flow();
  flow.asks = 2;
  CHECK(of_class(XmlDocument(draw_attention_flow(flow)), "arrow query") == 3 + 1);
}

TEST_CASE("attention flow: several heads are cards, joined and mixed by one matrix") {
  AttentionFlow flow = whole_flow();
  flow.heads = 4;
  const XmlDocument document(draw_attention_flow(flow));
  std::size_t cards = 0;
  for (const XmlElement& frame : document.all("rect")) cards += frame["class"] == "card";
  CHECK(cards == 3);
  const std::vector<std::string> all = labels(document);
  for (const char* label : {"[z1; …; z4]", "W_O", "result", "z1"})
    CHECK(std::count(all.begin(), all.end(), label) == 1);
}

TEST_CASE("attention flow: all of it lies inside the picture, with everything drawn at once") {
  AttentionFlow flow = whole_flow();
  flow.places = true;
  flow.query = "a query with a long name";
  flow.score = "q·k / √d";
  flow.asks = 0;
  flow.valid = 2;
  flow.heads = 2;
  flow.title = "A flow";
  flow.then = "which class?";
  const XmlDocument document(draw_attention_flow(flow));
  const XmlElement picture = document.all("svg").at(0);
  for (const XmlElement& frame : document.all("rect")) {
    if (frame["class"] == "paper") continue;
    CHECK(frame.number("x") >= 0);
    CHECK(frame.number("y") >= 0);
    CHECK(frame.number("x") + frame.number("width") <= picture.number("width"));
    CHECK(frame.number("y") + frame.number("height") <= picture.number("height"));
  }
}

TEST_CASE("attention flow: what cannot be drawn is named") {
  AttentionFlow flow;
  CHECK(refusal(flow) == "draw_attention_flow: a flow needs an item: got none");
  flow = whole_flow();
  flow.weights = {1};
  CHECK(refusal(flow) == "draw_attention_flow: each item needs one weight: got 1 for 3 items");
  for (const double weight : {-0.5, 1.5, std::nan("")}) {
    flow.weights = {0.5, 0.5, weight};
    CHECK(refusal(flow).find("a weight must lie between 0 and 1") != std::string::npos);
  }
  flow = whole_flow();
  flow.asks = 3;
  CHECK(refusal(flow) == "draw_attention_flow: who asks must be one of the items: got 3 of 3");
  flow = whole_flow();
  flow.valid = 4;
  CHECK(refusal(flow).find("the first that is masked") != std::string::npos);
  flow = whole_flow();
  flow.heads = 0;
  CHECK(refusal(flow).find("needs a head") != std::string::npos);
  flow = whole_flow();
  flow.query = "";
  flow.asks = 0;
  CHECK(refusal(flow).find("needs a query") != std::string::npos);
  flow = whole_flow();
  flow.result = false;
  CHECK(refusal(flow).find("need a result") != std::string::npos);
  flow = whole_flow();
  flow.contexts = true;
  CHECK(refusal(flow).find("contexts stand for") != std::string::npos);
  flow = whole_flow();
  flow.scores = false;
  flow.score = "q·k";
  CHECK(refusal(flow).find("where scores are drawn") != std::string::npos);
}

TEST_CASE(
    "attention flow: every arrow leads from the right side of a frame to the left side of another one") {
  AttentionFlow bare, scored = whole_flow(), full = whole_flow();
  bare.items = {"a", "b"};
  scored.keys = scored.values = false;
  full.places = true;
  full.asks = 1;
  full.heads = 2;
  full.then = "reader";
  for (const AttentionFlow& flow : {bare, scored, whole_flow(), full}) {
    const XmlDocument document(draw_attention_flow(flow));
    std::vector<XmlElement> frames;
    for (const XmlElement& each : document.all("rect"))
      if (document.parent(each).has_class("node")) frames.push_back(each);
    for (const XmlElement& path : document.all("path")) {
      double x, y;
      REQUIRE(std::sscanf(path["d"].c_str(), "M%lf %lf", &x, &y) == 2);
      const bool is_head = path.has_class("head");
      INFO((is_head ? "end" : "start") << " at " << x << ", " << y);
      CHECK(std::any_of(frames.begin(), frames.end(), [&](const XmlElement& frame) {
        const double side = frame.number("x") + (is_head ? 0 : frame.number("width"));
        const double top = frame.number("y");
        return std::abs(x - side) < 0.1 && y > top && y < top + frame.number("height");
      }));
    }
  }
}
